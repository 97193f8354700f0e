import type { Connections, OwnConnection } from './connections.js';
import { type CommittedEnds, FollowedLogs } from './followed-logs.js';
import { readEra, type ServerEra } from './server-era.js';
import { READS_ONLY } from './sql/session.js';
import type { SqlRunner } from './sql-runner.js';

/** The connection, and the server that it was made to. */
export interface WritingConnection {
  readonly sql: SqlRunner;
  readonly era: ServerEra;
  /** What was written by it: whoever answers another one may have lost some of that. */
  readonly logs: FollowedLogs;
}

/**
 * The process's one writing connection: made when it is first needed, and made anew after it was
 * lost.
 */
export class Writer {
  readonly #connections: Connections;
  readonly #committed: CommittedEnds = new Map();
  #open: (Omit<WritingConnection, 'sql'> & { readonly connection: OwnConnection }) | null = null;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Throws KIT_STORE_UNAVAILABLE while the server cannot be reached. */
  async sql(): Promise<SqlRunner> {
    return (await this.connection()).sql;
  }

  /** As `sql`, with the era of the server that the connection was made to. */
  async connection(): Promise<WritingConnection> {
    this.#open ??= await this.#made();
    const { connection, era, logs } = this.#open;
    return { sql: connection.sql, era, logs };
  }

  /**
   * The connection is not to be trusted any more. Its server process may still be at work on what
   * it was last sent.
   */
  discard(): void {
    void this.#open?.connection.close();
    this.#open = null;
  }

  async close(): Promise<void> {
    await this.#open?.connection.close();
    this.#open = null;
  }

  async #made() {
    const connection = await this.#connections.open();
    try {
      const [era] = await Promise.all([readEra(connection.sql), connection.sql.exec(READS_ONLY)]);
      return { connection, era, logs: new FollowedLogs(this.#committed) };
    } catch (error) {
      void connection.close();
      throw error;
    }
  }
}
