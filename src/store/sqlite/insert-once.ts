import type { Job } from '../../domain/job.js';
import type { NewJob, Once } from '../../domain/ports/stores.js';
import { ONCE_MS, type OnceRow, onceKey, repeatedJob, usedAt } from '../once.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { DROP_ONCE, FIND_ONCE, PUT_ONCE } from './sql/once.js';
import type { SqlRunner } from './sql-runner.js';

export async function findOnce(deps: SqliteDeps, once: Once): Promise<Job | null> {
  return deps.read((sql) => found(sql, once, timesOf(deps)));
}

/**
 * Looked for on the reading connection first, so that a repeated request writes nothing; and again
 * under the write lock.
 */
export async function insertOnce(
  deps: SqliteDeps,
  request: {
    readonly once: Once;
    readonly job: NewJob;
    readonly admit: (sql: SqlRunner) => void;
    readonly insert: (sql: SqlRunner) => Job;
  },
): Promise<{ readonly job: Job; readonly repeated: boolean }> {
  const { once, job } = request;
  const seen = await findOnce(deps, once);
  if (seen !== null) return { job: seen, repeated: true };
  return deps.queue.run(['job.insert'], (sql) => {
    const times = timesOf(deps);
    const first = found(sql, once, times);
    if (first !== null) return { job: first, repeated: true };
    request.admit(sql);
    sql.run(PUT_ONCE, {
      onceKey: onceKey(once),
      digest: once.digest,
      jobId: job.id,
      now: usedAt(once, times.now),
    });
    sql.run(DROP_ONCE, { expired: times.expired });
    return { job: request.insert(sql), repeated: false };
  });
}

interface Times {
  readonly now: string;
  /** A key that was used then or earlier is free. */
  readonly expired: string;
}

function timesOf({ clock }: SqliteDeps): Times {
  const nowMs = clock.now();
  return { now: isoAt(nowMs), expired: isoAt(nowMs - ONCE_MS) };
}

function found(sql: SqlRunner, once: Once, { expired }: Times): Job | null {
  const row = sql.get<OnceRow>(FIND_ONCE, { onceKey: onceKey(once), expired });
  return row === undefined ? null : repeatedJob(once, row);
}
