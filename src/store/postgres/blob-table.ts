import type { BlobStore } from '../../domain/ports/stores.js';
import { sha256Hex } from '../../lib/sha256.js';
import { SHA256_HEX, undamaged } from '../blob-damaged.js';
import { BLOB_GRACE_MS } from '../blob-grace.js';
import { GET_BLOB, PUT_BLOB } from './sql/blobs.js';
import type { SqlRunner } from './sql-runner.js';
import type { WriteQueue } from './write-queue.js';

/** Blobs in the database, so that another machine can go on with the run. `put` returns once they are committed: the row that names one is written afterwards. */
export function createBlobTable(deps: {
  readonly queue: WriteQueue;
  readonly read: <T>(work: (sql: SqlRunner) => Promise<T>) => Promise<T>;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
}): BlobStore {
  const lately = createLately(deps.nowMs);
  return {
    async put(bytes) {
      const sha256 = sha256Hex(bytes);
      if (lately.has(sha256)) return sha256;
      await deps.queue.run({ writes: ['blob.put'], jobs: [], work: (tx) => tx.run(PUT_BLOB, { sha256, bytes, now: tx.now }) });
      lately.add(sha256);
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

/** Far below the grace, for which nobody collects a blob that was put. */
const LATELY_MS = BLOB_GRACE_MS / 24;
const REMEMBERED = 100;

/** What this process has put not long ago: the snapshot of run after run is not sent again. */
function createLately(nowMs: () => number) {
  const putAtMs = new Map<string, number>();
  return {
    has: (sha256: string): boolean => nowMs() - (putAtMs.get(sha256) ?? Number.NEGATIVE_INFINITY) < LATELY_MS,
    add: (sha256: string): void => {
      putAtMs.delete(sha256);
      putAtMs.set(sha256, nowMs());
      const [oldest] = putAtMs.keys();
      if (putAtMs.size > REMEMBERED && oldest !== undefined) putAtMs.delete(oldest);
    },
  };
}
