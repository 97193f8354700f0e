import type { Job } from '../../domain/job.js';
import type { NewJob, Once } from '../../domain/ports/stores.js';
import { expiredAt, findOnce, jobOfKey } from '../find-once.js';
import { onceKey, usedAt } from '../once.js';
import { SQLITE_DIALECT } from '../program.js';
import { dropOnce, PUT_ONCE } from '../sql/once.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { runOpen, sqlitePrograms } from './programs.js';
import type { SqlRunner } from './sql-runner.js';

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
  const seen = await findOnce(sqlitePrograms(deps), once);
  if (seen !== null) return { job: seen, repeated: true };
  return deps.queue.run(['job.insert'], (sql) => {
    const now = isoAt(deps.clock.now());
    const expired = expiredAt(now);
    const first = runOpen(sql, jobOfKey(once, expired));
    if (first !== null) return { job: first, repeated: true };
    request.admit(sql);
    sql.run(PUT_ONCE, { onceKey: onceKey(once), digest: once.digest, jobId: job.id, now: usedAt(once, now) });
    sql.run(dropOnce(SQLITE_DIALECT), { expired });
    return { job: request.insert(sql), repeated: false };
  });
}
