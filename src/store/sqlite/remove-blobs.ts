import type { BlobFiles } from '../blob-files.js';
import type { SqliteDeps } from './deps.js';
import { DROP_CANDIDATE, NAMED_OF } from './sql/retention.js';
import type { SqlRunner } from './sql-runner.js';

/** Blobs looked up and removed under one lock. */
const SLICE_BLOBS = 32;

/**
 * Removes those that no row names and nobody has put since `before`; answers the bytes of each.
 * Looked up and removed under the write lock: no commit can name the blob in between. A crash after
 * the removal leaves the candidate, and the next call finds nothing to remove.
 */
export async function removeBlobs(
  { queue }: Pick<SqliteDeps, 'queue'>,
  files: BlobFiles,
  { digests, before }: { readonly digests: readonly string[]; readonly before: string },
): Promise<readonly number[]> {
  const beforeMs = Date.parse(before);
  const removed: number[] = [];
  for (let at = 0; at < digests.length; at += SLICE_BLOBS) {
    const slice = digests.slice(at, at + SLICE_BLOBS);
    removed.push(...(await queue.run([], (sql) => removeSlice(sql, files, { slice, beforeMs }))));
  }
  return removed;
}

function removeSlice(
  sql: SqlRunner,
  files: BlobFiles,
  { slice, beforeMs }: { readonly slice: readonly string[]; readonly beforeMs: number },
): readonly number[] {
  const found = sql.all<{ sha256: string }>(NAMED_OF, { digests: JSON.stringify(slice) });
  const named = new Set(found.map(({ sha256 }) => sha256));
  return slice.flatMap((sha256) => {
    const bytes = named.has(sha256) ? null : files.unusedBytes(sha256, beforeMs);
    if (named.has(sha256) || files.removeUnused(sha256, beforeMs)) sql.run(DROP_CANDIDATE, { sha256 });
    else return [];
    return bytes === null ? [] : [bytes];
  });
}
