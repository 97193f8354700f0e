import type { PostgresDeps } from './deps.js';
import { DROP_CANDIDATES, REMOVE_BLOBS } from './sql/retention.js';
import type { Transaction } from './transaction.js';

/** Removes those that no row names and nobody has put since `before`; answers the bytes of each. */
export function removeBlobs(
  { queue }: Pick<PostgresDeps, 'queue'>,
  of: { readonly digests: readonly string[]; readonly before: string },
): Promise<readonly number[]> {
  const work = async (tx: Transaction): Promise<readonly number[]> => {
    const removed = await tx.change<{ bytes: number }>(REMOVE_BLOBS, of);
    await tx.run(DROP_CANDIDATES, of);
    return removed.map(({ bytes }) => bytes);
  };
  return queue.run({ writes: ['blob.collect'], jobs: [], work });
}
