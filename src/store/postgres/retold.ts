import type { LastStatement, SqlParams, SqlRunner } from './sql-runner.js';

/** One whose rows somebody waits for. */
export interface Retold extends LastStatement {
  readonly told: (rows: readonly unknown[]) => void;
  /** Reads the same rows once they are committed, should the answer be lost. */
  readonly again: { readonly sql: string; readonly params: SqlParams };
}

/** Statements whose answers are still to come. */
export class Untold {
  readonly #waiting = new Set<Retold>();

  /** The same, and its answer is waited for. */
  awaited(statement: Retold): LastStatement {
    this.#waiting.add(statement);
    const { sql, params } = statement;
    const told = (rows: readonly unknown[]): void => {
      this.#waiting.delete(statement);
      statement.told(rows);
    };
    return { sql, params, told };
  }

  /** After a commit whose answers were lost. */
  async readAgain(sql: SqlRunner): Promise<void> {
    for (const { again, told } of this.#waiting) told(await sql.all(again.sql, again.params));
    this.#waiting.clear();
  }
}
