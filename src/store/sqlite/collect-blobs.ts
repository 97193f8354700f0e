import type { BlobFiles } from '../blob-files.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { DROP_CANDIDATE, DUE_CANDIDATES, IS_NAMED } from './sql/retention.js';

/**
 * How long a blob that a pruned row named is left alone. `put` of the same bytes starts it anew, so what a process is about to
 * name is never taken away: between putting and naming lie milliseconds.
 */
export const BLOB_GRACE_MS = 24 * 60 * 60 * 1000;
/** Candidates looked at in one call; the next call goes on. */
const MAX_CANDIDATES = 200;

/**
 * Removes blobs that no row names any more, a write for each. Looked up and removed under the write lock: no commit can name the
 * blob in between. A crash after the removal leaves the candidate, and the next call finds nothing to remove.
 */
export async function collectBlobs(deps: SqliteDeps, files: BlobFiles): Promise<void> {
  const beforeMs = deps.clock.now() - BLOB_GRACE_MS;
  const due = await deps.read((sql) => sql.all<{ sha256: string }>(DUE_CANDIDATES, { before: isoAt(beforeMs), limit: MAX_CANDIDATES }));
  for (const { sha256 } of due) {
    await deps.queue.run([], (sql) => {
      const isNamed = sql.get<{ named: number }>(IS_NAMED, { sha256 })?.named !== 0;
      if (isNamed || files.removeUnused(sha256, beforeMs)) sql.run(DROP_CANDIDATE, { sha256 });
    });
  }
}
