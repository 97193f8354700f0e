import type { Job } from '../../domain/job.js';
import type { SweepOptions, WorkerHost } from '../../domain/ports/stores.js';
import { decodeHost, type JobRow } from '../job-row.js';
import { recoverJob } from '../recover-jobs.js';
import { isLeaseOver, type Observer } from '../recovery.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { JOB_WORDS } from './job-words.js';
import { runOpen } from './programs.js';
import { HELD_JOBS } from './sql/jobs.js';

/**
 * Takes over every lease that is over, a write of its own for each job. Looked for on a reading
 * connection, so that a sweep that finds nothing writes nothing.
 */
export async function sweepJobs(
  deps: SqliteDeps,
  host: WorkerHost,
  { recoverAll = false }: SweepOptions = {},
): Promise<readonly Job[]> {
  const now = isoAt(deps.clock.now());
  const observer: Observer = { host, now, processStartOf: deps.processStartOf };
  const isOver = (row: JobRow): boolean =>
    isLeaseOver({ holder: decodeHost(row.holder), leaseUntil: row.lease_until ?? '' }, observer);
  const held = await deps.read((sql) => sql.all<JobRow>(HELD_JOBS, {}));
  const recovered = await Promise.all(
    held
      .filter(isOver)
      .map((seen) =>
        deps.queue.run(['job.sweep'], (sql) =>
          runOpen(sql, recoverJob(JOB_WORDS, seen, { isOver, recoverAll, eventId: deps.ids.uuid(), now })),
        ),
      ),
  );
  return recovered.filter((job) => job !== null);
}
