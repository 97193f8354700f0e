import type { Connections, OwnConnection } from './connections.js';
import { readEra, type ServerEra } from './server-era.js';
import type { SqlRunner } from './sql-runner.js';

/** The connection, and the server that it was made to. */
export interface WritingConnection {
  readonly sql: SqlRunner;
  readonly era: ServerEra;
}

/**
 * The process's one writing connection: made when it is first needed, and made anew after it was
 * lost.
 */
export class Writer {
  readonly #connections: Connections;
  #open: { readonly connection: OwnConnection; readonly era: ServerEra } | null = null;

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
    return { sql: this.#open.connection.sql, era: this.#open.era };
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
      return { connection, era: await readEra(connection.sql) };
    } catch (error) {
      void connection.close();
      throw error;
    }
  }
}
