import type { BlobStore } from '../../domain/ports/stores.js';
import { keepNewest } from '../../lib/keep-newest.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { Pacing } from '../pacing.js';
import { SHA256_HEX, undamaged } from '../undamaged.js';
import type { SqlRunner } from './sql-runner.js';
import type { WriteQueue } from './write-queue.js';

/**
 * `put_at` is the time of the last put: a blob that was put a moment ago is about to be named. The
 * bytes are not written again.
 */
const PUT_BLOB =
  'INSERT INTO blobs (sha256, bytes, put_at) VALUES (@sha256, @bytes, @now) ON CONFLICT (sha256) DO UPDATE SET put_at = excluded.put_at';
const GET_BLOB = 'SELECT bytes FROM blobs WHERE sha256 = @sha256';

/**
 * Bytes that this process committed so short a time ago are there: what nobody names is kept for a
 * day (../blob-grace.ts). So an entry point that submits runs of one topology sends their snapshot
 * once a minute, and each of them is one commit.
 */
const PUT_IS_GOOD_MS = 60_000;
const MAX_REMEMBERED = 256;

/**
 * Blobs in the database, so that another machine can go on with the run. `put` returns once they
 * are committed: the row that names one is written afterwards.
 */
export function createBlobTable(deps: {
  readonly queue: WriteQueue;
  readonly read: <T>(work: (sql: SqlRunner) => Promise<T>) => Promise<T>;
  readonly pacing: Pick<Pacing, 'nowMs'>;
}): BlobStore {
  const puts = new Map<string, number>();
  return {
    async put(bytes) {
      const sha256 = sha256Hex(bytes);
      const atMs = deps.pacing.nowMs();
      if (atMs - (puts.get(sha256) ?? Number.NEGATIVE_INFINITY) < PUT_IS_GOOD_MS) return sha256;
      await deps.queue.run({
        writes: ['blob.put'],
        jobs: [],
        work: (tx) => tx.run(PUT_BLOB, { sha256, bytes, now: tx.now }),
      });
      keepNewest(puts, MAX_REMEMBERED, [sha256, atMs]);
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
