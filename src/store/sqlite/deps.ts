import type { BlobStore } from '../../domain/ports/stores.js';
import type { Clock, Ids } from '../../domain/ports/system.js';
import type { Pacing } from '../pacing.js';
import type { SqlRunner } from './sql-runner.js';
import type { WriteQueue } from './write-queue.js';

/** What the stores of one database share. */
export interface SqliteDeps {
  readonly queue: WriteQueue;
  /**
   * Runs on the reading connection, in one tick: no iterator stays open. Waits while the file is
   * locked.
   */
  readonly read: <T>(work: (sql: SqlRunner) => T) => Promise<T>;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  /** Long reads of the log are cut, and the process does other work between two of their parts. */
  readonly pacing: Pick<Pacing, 'nextTurn'>;
  readonly ids: Ids;
  readonly processStartOf: (pid: number) => string | null;
}

export { isoAt } from '../../lib/iso-at.js';
