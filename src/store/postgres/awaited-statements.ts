import type { LastStatement, SqlParams, SqlRunner } from './sql-runner.js';
import { byRows, type Witness } from './witness.js';

/** One whose rows somebody waits for. */
export interface AwaitedStatement extends LastStatement {
  readonly onRows: (rows: readonly unknown[]) => void;
  /** Reads the same rows once they are committed, should the answer be lost. */
  readonly again: { readonly sql: string; readonly params: SqlParams };
}

/**
 * A statement of `Transaction.last`; `op` as in `Statement`. `isMarked`: `again` finds what this
 * transaction wrote, and nothing that another one did.
 */
export interface LastWrite extends Pick<AwaitedStatement, 'sql' | 'params' | 'again'> {
  readonly op: 'change' | 'setJobs';
  readonly isMarked?: boolean;
}

/** Statements that nobody waits for within the transaction, and those whose answers are to come. */
export class AwaitedStatements {
  readonly #unsent: AwaitedStatement[] = [];
  readonly #required = new Map<string, LastStatement>();
  readonly #waiting = new Set<AwaitedStatement>();
  #witness: Witness | undefined;

  /** Of one that is marked. */
  get witness(): Witness | undefined {
    return this.#witness;
  }

  /** Whether all has been sent. */
  get isSent(): boolean {
    return this.#unsent.length === 0;
  }

  /** Its rows are there once all is committed. */
  add<Row>({ sql, params, again, isMarked }: Omit<LastWrite, 'op'>): () => readonly Row[] {
    if (isMarked === true) this.#witness = byRows(again);
    let rows: readonly Row[] = [];
    const onRows = (found: readonly unknown[]): void => {
      // As in `SqlRunner`: `Row` is the caller's word for the columns.
      rows = found as readonly Row[];
    };
    this.#unsent.push({ sql, params, again, onRows });
    return () => rows;
  }

  /** Sent behind everything else, once for each key. */
  require(key: string, statement: LastStatement): void {
    if (!this.#required.has(key)) this.#required.set(key, statement);
  }

  get required(): readonly LastStatement[] {
    return [...this.#required.values()];
  }

  /** What goes out with COMMIT. */
  take(): readonly LastStatement[] {
    return this.#unsent.splice(0).map((statement) => this.awaited(statement));
  }

  /** What has to be there before the next statement. */
  async send(sql: SqlRunner): Promise<void> {
    for (const { sql: text, params, onRows } of this.#unsent.splice(0)) onRows(await sql.all(text, params));
  }

  /** The same, and its answer is waited for. */
  awaited(statement: AwaitedStatement): LastStatement {
    this.#waiting.add(statement);
    const { sql, params } = statement;
    const onRows = (rows: readonly unknown[]): void => {
      this.#waiting.delete(statement);
      statement.onRows(rows);
    };
    return { sql, params, onRows };
  }

  /** After a commit whose answers were lost. */
  async readAgain(sql: SqlRunner): Promise<void> {
    for (const { again, onRows } of this.#waiting) onRows(await sql.all(again.sql, again.params));
    this.#waiting.clear();
  }
}
