import type { Job } from '../../domain/job.js';
import type { NewJob, Once } from '../../domain/ports/stores.js';
import { expiredAt, findOnce, jobOfKey } from '../find-once.js';
import { onceKey, usedAt } from '../once.js';
import { POSTGRES_DIALECT, runLater } from '../program.js';
import { dropOnce, PUT_ONCE, TAKE_ONCE } from '../sql/once.js';
import type { PostgresDeps } from './deps.js';
import { postgresPrograms } from './programs.js';
import type { Transaction } from './transaction.js';

/**
 * Looked for by a read first, so that a repeated request writes nothing. Of two transactions that
 * take one key, the second waits for the first and then finds its job.
 */
export async function insertOnce(
  deps: PostgresDeps,
  request: {
    readonly once: Once;
    readonly job: NewJob;
    readonly insert: (tx: Transaction) => Promise<() => Job>;
    /** Makes room under the lock of the queue, or refuses; null = any number may wait. */
    readonly admit: ((tx: Transaction) => Promise<void>) | null;
  },
): Promise<{ readonly job: Job; readonly repeated: boolean }> {
  const { once, job, admit } = request;
  const seen = await findOnce(postgresPrograms(deps), once);
  if (seen !== null) return { job: seen, repeated: true };
  const work = async (tx: Transaction): Promise<{ readonly job: () => Job; readonly repeated: boolean }> => {
    const expired = expiredAt(tx.now);
    if (admit !== null) {
      // Again under the lock of the queue: the key of a request that came at the same time takes no
      // room of its own.
      const committed = await runLater(tx, jobOfKey(once, expired));
      if (committed !== null) return { job: () => committed, repeated: true };
      await admit(tx);
    }
    const row = { onceKey: onceKey(once), digest: once.digest, jobId: job.id, now: usedAt(once, tx.now) };
    if ((await tx.run(TAKE_ONCE, { ...row, expired })) === 0) {
      const first = await runLater(tx, jobOfKey(once, expired));
      if (first !== null) return { job: () => first, repeated: true };
      // Its job was removed; the row is locked since the statement before.
      await tx.run(PUT_ONCE, row);
    }
    await tx.run(dropOnce(POSTGRES_DIALECT), { expired });
    return { job: await request.insert(tx), repeated: false };
  };
  const { job: made, repeated } = await deps.queue.run({
    writes: ['job.insert'],
    jobs: [],
    admits: admit !== null,
    work,
  });
  return { job: made(), repeated };
}
