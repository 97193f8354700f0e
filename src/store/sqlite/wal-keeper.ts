import { statSync } from 'node:fs';
import { isBusy } from './busy.js';
import type { SqlRunner } from './sql-runner.js';

/** A log above this is written back and cut when nobody writes (docs/design/journal.md#sqlite). */
export const TRUNCATE_ABOVE_BYTES = 64 * 1024 * 1024;
const IDLE_MS = 500;

export interface WalKeeperDeps {
  readonly sql: SqlRunner;
  readonly walPath: string;
  readonly truncateAboveBytes: number;
}

/**
 * Keeps the write-ahead log from growing for ever: SQLite's own checkpoints reuse the file but
 * never shorten it.
 */
export class WalKeeper {
  readonly #deps: WalKeeperDeps;
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: WalKeeperDeps) {
    this.#deps = deps;
  }

  /**
   * After each commit; the check runs once none has come for a while, and never keeps the process
   * alive.
   */
  onCommit(): void {
    if (this.#timer === null) this.#timer = setTimeout(() => this.truncate(), IDLE_MS).unref();
    else this.#timer.refresh();
  }

  /** Does nothing while another process reads or writes: the next idle moment tries again. */
  truncate(): void {
    const { sql, walPath, truncateAboveBytes } = this.#deps;
    if ((statSync(walPath, { throwIfNoEntry: false })?.size ?? 0) <= truncateAboveBytes) return;
    try {
      sql.pragma('wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
