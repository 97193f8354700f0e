import type { BlobStore } from '../../domain/ports/stores.js';
import type { Ids } from '../../domain/ports/system.js';
import type { SqlRunner } from './sql-runner.js';
import type { WriteQueue } from './write-queue.js';

/** What the stores of one database share. There is no clock: the database's is the only one. */
export interface PostgresDeps {
  readonly queue: WriteQueue;
  /** Runs reads on a pooled connection; each statement sees one moment. */
  readonly read: <T>(work: (sql: SqlRunner) => Promise<T>) => Promise<T>;
  readonly blobs: BlobStore;
  readonly ids: Ids;
}
