import type { BlobStore } from '../../domain/ports/stores.js';
import { sha256Hex } from '../../lib/sha256.js';
import { SHA256_HEX, undamaged } from '../blob-damaged.js';
import { GET_BLOB, PUT_BLOB } from './sql/blobs.js';
import type { SqlRunner } from './sql-runner.js';
import type { WriteQueue } from './write-queue.js';

/** Blobs in the database, so that another machine can go on with the run. `put` returns once they are committed: the row that names one is written afterwards. */
export function createBlobTable(deps: {
  readonly queue: WriteQueue;
  readonly read: <T>(work: (sql: SqlRunner) => Promise<T>) => Promise<T>;
}): BlobStore {
  return {
    async put(bytes) {
      const sha256 = sha256Hex(bytes);
      await deps.queue.run({ writes: ['blob.put'], jobs: [], work: (tx) => tx.run(PUT_BLOB, { sha256, bytes, now: tx.now }) });
      return sha256;
    },
    async get(sha256) {
      if (!SHA256_HEX.test(sha256)) return null;
      const row = await deps.read((sql) => sql.get<{ bytes: Uint8Array }>(GET_BLOB, { sha256 }));
      if (row === undefined) return null;
      const bytes = undamaged(sha256, row.bytes);
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
  };
}
