import type { LastStatement, SqlParams, SqlRunner } from './sql-runner.js';

/** One whose rows somebody waits for. */
export interface AwaitedStatement extends LastStatement {
  readonly onRows: (rows: readonly unknown[]) => void;
  /** Reads the same rows once they are committed, should the answer be lost. */
  readonly again: { readonly sql: string; readonly params: SqlParams };
}

/** A statement of `Transaction.last`; `op` as in `Statement`. */
export interface LastWrite extends Pick<AwaitedStatement, 'sql' | 'params' | 'again'> {
  readonly op: 'change' | 'setJobs';
}

/** Statements whose answers are still to come. */
export class AwaitedStatements {
  readonly #waiting = new Set<AwaitedStatement>();

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
