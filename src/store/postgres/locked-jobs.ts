import type { Fence } from '../../domain/job.js';
import type { ChainEnd } from '../event-row.js';
import type { FencedRow } from '../fenced-row.js';
import type { JobRow } from '../job-row.js';
import { LAST_OF_RUNS } from './sql/events.js';
import { LOCK_JOBS } from './sql/jobs.js';
import type { SqlRunner } from './sql-runner.js';

/** What a commit must know of the job that it writes for; read when the row was locked. */
export type LockedJob = FencedRow & Pick<JobRow, 'id' | 'worker_id' | 'attempt' | 'status'>;

/** The row where the fence is still that of its claim. */
export const heldBy = (row: LockedJob, fence: Fence): LockedJob | undefined =>
  row.worker_id === fence.workerId && row.attempt === fence.attempt && row.status === 'running' ? row : undefined;

/** What a transaction is told when it begins. */
export interface StartFacts {
  readonly now: string;
  readonly xid: string;
  /** Null where none of kit's is left. */
  readonly log_id: string | null;
}

/** The rows of its jobs, and the ends of their chains. */
export interface Locked {
  readonly jobs: readonly LockedJob[];
  readonly ends: readonly (ChainEnd & { readonly job_id: string; readonly has_called: boolean })[];
}

/** The first statement of a group. */
export async function lockJobs(sql: SqlRunner, jobIds: readonly string[]): Promise<Locked> {
  if (jobIds.length === 0) return { jobs: [], ends: [] };
  // Not in one statement: it would see the log as it was before it waited for a lock.
  const [jobs, ends] = await Promise.all([
    sql.all<LockedJob>(LOCK_JOBS, { jobIds }),
    sql.all<Locked['ends'][number]>(LAST_OF_RUNS, { jobIds }),
  ]);
  return { jobs, ends };
}
