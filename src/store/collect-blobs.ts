import { isoAt } from '../lib/iso-at.js';
import { BLOB_GRACE_MS } from './blob-grace.js';
import { all, type Programs } from './program.js';
import { DUE_CANDIDATES } from './sql/retention.js';

/** Candidates looked at in one call; the next call goes on. */
const MAX_CANDIDATES = 200;

/**
 * Removes blobs that no row names any more. Whoever put the same bytes within the grace keeps them.
 */
export async function collectBlobs(
  { now, read }: Pick<Programs, 'now' | 'read'>,
  removeBlobs: (of: { readonly digests: readonly string[]; readonly before: string }) => Promise<unknown>,
): Promise<void> {
  const before = isoAt(Date.parse(await now()) - BLOB_GRACE_MS);
  const due = await read(() => all<{ sha256: string }>(DUE_CANDIDATES, { before, limit: MAX_CANDIDATES }));
  if (due.length > 0) await removeBlobs({ digests: due.map(({ sha256 }) => sha256), before });
}
