import type { Connections, OwnConnection } from './connections.js';
import type { SqlRunner } from './sql-runner.js';

/**
 * The process's one writing connection: made when it is first needed, and made anew after it was
 * lost.
 */
export class Writer {
  readonly #connections: Connections;
  #open: OwnConnection | null = null;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Throws KIT_STORE_UNAVAILABLE while the server cannot be reached. */
  async sql(): Promise<SqlRunner> {
    this.#open ??= await this.#connections.open();
    return this.#open.sql;
  }

  /**
   * The connection is not to be trusted any more. Its server process may still be at work on what
   * it was last sent.
   */
  discard(): void {
    void this.#open?.close();
    this.#open = null;
  }

  async close(): Promise<void> {
    await this.#open?.close();
    this.#open = null;
  }
}
