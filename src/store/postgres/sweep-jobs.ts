import type { Job } from '../../domain/job.js';
import type { SweepOptions } from '../../domain/ports/stores.js';
import type { JobRow } from '../job-row.js';
import { all, type Programs } from '../program.js';
import { recoverJob, type SeenClaim } from '../recover-jobs.js';
import type { PostgresDeps } from './deps.js';
import { JOB_WORDS } from './job-words.js';
import { OVERDUE_JOBS } from './sql/jobs.js';

/**
 * Takes over every lease that is over. Looked for by a read, so that a sweep that finds nothing
 * writes nothing; another sweep may come first.
 */
export async function sweepJobs(
  { ids }: Pick<PostgresDeps, 'ids'>,
  { read, write }: Programs,
  { recoverAll = false }: SweepOptions = {},
): Promise<readonly Job[]> {
  const overdue = await read(() => all<SeenClaim>(OVERDUE_JOBS, {}));
  const recovered = await Promise.all(
    overdue.map((seen) =>
      write(
        'job.sweep',
        (at) => {
          const now = at();
          const isOver = ({ lease_until: until }: JobRow): boolean => until !== null && until < now;
          return recoverJob(JOB_WORDS, seen, { isOver, recoverAll, eventId: ids.uuid(), now });
        },
        [seen.id],
      ),
    ),
  );
  return recovered.filter((job) => job !== null);
}
