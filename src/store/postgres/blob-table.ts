import type { BlobStore } from '../../domain/ports/stores.js';
import { sha256Hex } from '../../lib/sha256.js';
import { GET_BLOB, PUT_BLOB } from './sql/blobs.js';
import type { SqlRunner } from './sql-runner.js';
import type { WriteQueue } from './write-queue.js';

const SHA256_HEX = /^[0-9a-f]{64}$/;

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
      if (sha256Hex(row.bytes) !== sha256) throw new Error(`blob ${sha256} is damaged: its bytes have another digest`);
      return new Uint8Array(row.bytes.buffer, row.bytes.byteOffset, row.bytes.byteLength);
    },
  };
}
