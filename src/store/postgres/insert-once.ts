import type { Job } from '../../domain/job.js';
import type { NewJob, Once } from '../../domain/ports/stores.js';
import { ONCE_MS, type OnceRow, onceKey, repeatedJob, usedAt } from '../once.js';
import type { PostgresDeps } from './deps.js';
import { DROP_ONCE, FIND_ONCE, PUT_ONCE, TAKE_ONCE } from './sql/once.js';
import { NOW } from './sql/session.js';
import type { SqlRunner } from './sql-runner.js';
import type { Transaction } from './transaction.js';

export async function findOnce(deps: PostgresDeps, once: Once): Promise<Job | null> {
  return deps.read(async (sql) => {
    const now = (await sql.get<{ now: string }>(NOW))?.now ?? '';
    return found(sql, once, expiredAt(now));
  });
}

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
  const seen = await findOnce(deps, once);
  if (seen !== null) return { job: seen, repeated: true };
  const work = async (tx: Transaction): Promise<{ readonly job: () => Job; readonly repeated: boolean }> => {
    const expired = expiredAt(tx.now);
    if (admit !== null) {
      // Again under the lock of the queue: the key of a request that came at the same time takes no
      // room of its own.
      const committed = await found(tx, once, expired);
      if (committed !== null) return { job: () => committed, repeated: true };
      await admit(tx);
    }
    const row = { onceKey: onceKey(once), digest: once.digest, jobId: job.id, now: usedAt(once, tx.now) };
    if ((await tx.run(TAKE_ONCE, { ...row, expired })) === 0) {
      const first = await found(tx, once, expired);
      if (first !== null) return { job: () => first, repeated: true };
      // Its job was removed; the row is locked since the statement before.
      await tx.run(PUT_ONCE, row);
    }
    await tx.run(DROP_ONCE, { expired });
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

/** A key that was used then or earlier is free. */
const expiredAt = (now: string): string => new Date(Date.parse(now) - ONCE_MS).toISOString();

async function found(sql: Pick<SqlRunner, 'get'> | Transaction, once: Once, expired: string): Promise<Job | null> {
  const row = await sql.get<OnceRow>(FIND_ONCE, { onceKey: onceKey(once), expired });
  return row === undefined ? null : repeatedJob(once, row);
}
