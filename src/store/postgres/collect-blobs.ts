import { BLOB_GRACE_MS, MAX_CANDIDATES } from '../blob-grace.js';
import type { PostgresDeps } from './deps.js';
import { HAS_BLOB, REMOVE_UNUSED_BLOB } from './sql/blobs.js';
import { DROP_CANDIDATE, DUE_CANDIDATES, IS_NAMED } from './sql/retention.js';
import { NOW } from './sql/session.js';
import type { Transaction } from './transaction.js';

/**
 * Removes blobs that no row names any more, a write for each. Whoever put the same bytes within the
 * grace keeps them.
 */
export async function collectBlobs(deps: PostgresDeps): Promise<void> {
  const due = await deps.read(async (sql) => {
    const now = (await sql.get<{ now: string }>(NOW))?.now ?? '';
    return sql.all<{ sha256: string }>(DUE_CANDIDATES, { before: graceBefore(now), limit: MAX_CANDIDATES });
  });
  for (const { sha256 } of due) {
    if (await deps.queue.run({ writes: [], jobs: [], work: (tx) => dropIfNamed(tx, sha256) })) continue;
    await deps.queue.run({ writes: ['blob.collect'], jobs: [], work: (tx) => remove(tx, sha256) });
  }
}

const graceBefore = (now: string): string => new Date(Date.parse(now) - BLOB_GRACE_MS).toISOString();

/** True when the candidate is done with: a row names the blob, or it is gone. */
async function dropIfNamed(tx: Transaction, sha256: string): Promise<boolean> {
  const isNamed = (await tx.get<{ named: boolean }>(IS_NAMED, { sha256 }))?.named !== false;
  const isGone = (await tx.get(HAS_BLOB, { sha256 })) === undefined;
  if (isNamed || isGone) await tx.run(DROP_CANDIDATE, { sha256 });
  return isNamed || isGone;
}

/**
 * The blob and its candidate in one commit; one that was put again meanwhile stays, and so does its
 * candidate.
 */
async function remove(tx: Transaction, sha256: string): Promise<void> {
  const isNamed = (await tx.get<{ named: boolean }>(IS_NAMED, { sha256 }))?.named !== false;
  const isRemoved = !isNamed && (await tx.run(REMOVE_UNUSED_BLOB, { sha256, before: graceBefore(tx.now) })) > 0;
  if (isNamed || isRemoved) await tx.run(DROP_CANDIDATE, { sha256 });
}
