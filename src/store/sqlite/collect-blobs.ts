import type { BlobFiles } from '../blob-files.js';
import { BLOB_GRACE_MS, MAX_CANDIDATES } from '../blob-grace.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { DROP_CANDIDATE, DUE_CANDIDATES, IS_NAMED } from './sql/retention.js';

/**
 * Removes blobs that no row names any more, a write for each. Looked up and removed under the write
 * lock: no commit can name the blob in between. A crash after the removal leaves the candidate, and
 * the next call finds nothing to remove.
 */
export async function collectBlobs(deps: SqliteDeps, files: BlobFiles): Promise<void> {
  const beforeMs = deps.clock.now() - BLOB_GRACE_MS;
  const due = await deps.read((sql) =>
    sql.all<{ sha256: string }>(DUE_CANDIDATES, { before: isoAt(beforeMs), limit: MAX_CANDIDATES }),
  );
  for (const { sha256 } of due) {
    await deps.queue.run([], (sql) => {
      const isNamed = sql.get<{ named: number }>(IS_NAMED, { sha256 })?.named !== 0;
      if (isNamed || files.removeUnused(sha256, beforeMs)) sql.run(DROP_CANDIDATE, { sha256 });
    });
  }
}
