import { LIVE_STATUSES, OVER_STATUSES } from '../../domain/job.js';
import type { SqlDialect } from '../program.js';

/** Statements about jobs that are the same text in both dialects; named parameters. */

const listOf = (statuses: readonly string[]): string => statuses.map((status) => `'${status}'`).join(', ');

/** Statuses of runs that work or wait, as a list of SQL. */
export const LIVE = listOf(LIVE_STATUSES);
/** Those of the others. */
export const OVER = listOf(OVER_STATUSES);

/** What waits for whoever claims it; also the predicate of the partial indexes. */
export const WAITS = "status IN ('pending', 'queued')";

/** What a claim sets, of one row or of many. */
export const takenAt = (now: string, leaseUntil: string): string => `
  status = 'running', worker_id = @workerId, lease_until = ${leaseUntil}, holder = @holder, attempt = attempt + 1,
  claimed_at = ${now}, started_at = coalesce(started_at, ${now}), parked_at = NULL, wake_at = NULL, waiting_on = '[]'`;
/** The same by a clock that was asked before. */
export const TAKE = takenAt('@now', '@leaseUntil');

/**
 * `earlier`: the submitters before it, in the words of the dialect (earlier-submitters.ts); `now`:
 * its clock, where that need not be asked before. Under a
 * lease from the first where one is named (`newRowParams`): then it says what TAKE sets.
 */
export const newJob = (earlier: string, now = '@now'): string => `
INSERT INTO jobs (id, status, waiting_status, worker_id, lease_until, holder, claimed_at, started_at, topology, version, input, correlation_id, labels, parent_job_id, caller_job_id, source, submitted_by, submitted_assurance, submitted_name, earlier_submitters,
  attempt, crashes, job_class, priority, engine, needs, snapshot, recover, waiting_on, auto_resume, executed_ms, timeout_ms, attachments, trace_parent, created_at)
VALUES (@id, @status, @waiting_status, @worker_id, @lease_until, @holder, @claimed_at, @claimed_at, @topology, @version, @input, @correlation_id, @labels, @parent_job_id, @caller_job_id, @source, @submitted_by, @submitted_assurance, @submitted_name, ${earlier},
  @attempt, 0, @job_class, @priority, @engine, @needs, @snapshot, @recover, '[]', 1, 0, @timeout_ms, @attachments, @trace_parent, ${now})`;

/** None is made where the id is used. */
export const insertJob = (earlier: string): string => `${newJob(earlier)}
ON CONFLICT (id) DO NOTHING`;

/** Runs that wait for a claim, counted no further than the bound they are compared with. */
export const QUEUE_DEPTH = `SELECT count(*) AS depth FROM (SELECT 1 FROM jobs WHERE ${WAITS} LIMIT @maxQueued) AS waiting`;

export const GET_JOB = 'SELECT * FROM jobs WHERE id = @jobId';

/** What is decided on it holds until the commit. */
export const getJobLocked = ({ lock }: Pick<SqlDialect, 'lock'>): string => `${GET_JOB} ${lock}`;

/** The row as long as this claim holds it. */
export const heldJob = ({ lock }: Pick<SqlDialect, 'lock'>): string => `
SELECT * FROM jobs WHERE id = @jobId AND worker_id = @workerId AND attempt = @attempt AND status = 'running' ${lock}`;

export const GET_ORD = 'SELECT ord FROM jobs WHERE id = @jobId';

export const GET_DIFFS = 'SELECT diffs_sha256 FROM jobs WHERE id = @jobId';

/** Not where the run went on since. */
export const KEEP_FIGURES = `
UPDATE jobs SET figures = @figures WHERE id = @jobId AND attempt = @attempt AND status IN (${OVER})`;

/** Gives a lease up; the caller has checked the fence or the lease in the same transaction. */
export const REQUEUE_JOB = `
UPDATE jobs SET status = waiting_status, worker_id = NULL, lease_until = NULL, holder = NULL, wake_at = NULL, crashes = @crashes WHERE id = @jobId`;

const MAKE_RUNNABLE = `
UPDATE jobs SET status = waiting_status, reason = NULL, error = NULL, waiting_on = '[]', wake_at = NULL, stop_requested_at = NULL, stop_requested_by = NULL,
  parked_at = NULL, completed_at = NULL, crashes = 0
WHERE id = @jobId`;

export const RESUME_JOB = `${MAKE_RUNNABLE} AND (status IN ('deferred', 'stopped') OR (status = 'running' AND worker_id IS NULL AND wake_at IS NOT NULL))`;

/**
 * A decision wakes what waits for it; where the workspace says so, only a resume does
 * (gates.auto_resume).
 */
export const WAKE_JOB = `${MAKE_RUNNABLE} AND status = 'deferred' AND auto_resume = 1`;

export const REQUEST_STOP = 'UPDATE jobs SET stop_requested_at = @now, stop_requested_by = @by WHERE id = @jobId';

/**
 * An ending that the store writes for a run nobody executes: what the run has produced so far
 * stays.
 */
export const END_ABANDONED_JOB = `
UPDATE jobs SET status = @status, reason = @reason, error = @error, crashes = @crashes,
  worker_id = NULL, lease_until = NULL, holder = NULL, wake_at = NULL, waiting_on = '[]',
  parked_at = CASE WHEN @status = 'stopped' THEN @now ELSE NULL END,
  completed_at = CASE WHEN @status = 'stopped' THEN NULL ELSE @now END
WHERE id = @jobId`;

export const PARK_JOB = `
UPDATE jobs SET status = 'deferred', waiting_on = @waitingOn, error = @error, reason = NULL, auto_resume = @autoResume, parked_at = @now,
  worker_id = NULL, lease_until = NULL, holder = NULL
WHERE id = @jobId`;

/** Written where it changes: where the sessions of a run lie. */
export const SET_NEEDS = 'UPDATE jobs SET needs = @needs WHERE id = @jobId';

/**
 * Waits for other runs: nobody has to act, so it stays `running`, without a worker
 * (docs/design/journal.md#waiting).
 */
export const WAIT_JOB = `
UPDATE jobs SET waiting_on = @waitingOn, wake_at = @wakeAt, worker_id = NULL, lease_until = NULL, holder = NULL WHERE id = @jobId`;

/** A run that it waits for has ended or parked. */
export const WAKE_WAITING =
  "UPDATE jobs SET wake_at = @now WHERE id = @jobId AND status = 'running' AND worker_id IS NULL AND wake_at IS NOT NULL";

/** Whose events a woken run's are. */
export const GET_OWNER = 'SELECT ord, id, topology, labels, correlation_id FROM jobs WHERE id = @jobId';

export const CLEAR_CRASHES = 'UPDATE jobs SET crashes = 0 WHERE id = @jobId';

/** A row that this transaction has just inserted or resumed, claimed at once. */
export const CLAIM_ONE = `UPDATE jobs SET ${TAKE} WHERE id = @jobId AND ${WAITS}`;

/** How a dialect has the jobs of one status read in the order of an index. */
export interface StatusWords {
  /** Whether a job is in the status of the parameter with this number. */
  readonly isIn: (n: number) => string;
  /** Newest first. */
  readonly order: string;
  readonly isFound: (ords: string) => string;
}

const NEWEST_FIRST = 'ORDER BY ord DESC';

const page = (columns: string, conditions: readonly string[], order: string): string =>
  `SELECT ${columns} FROM jobs ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')} `}${order} LIMIT @limit`;

/**
 * A list, newest first, with the conditions that its filter needs, of so many statuses; 0 = of any.
 * Of several statuses each is asked for its newest jobs: one walk back through all jobs would go to
 * the end where none matches.
 */
export function listJobs(
  { isIn, order, isFound }: StatusWords,
  conditions: readonly string[],
  statuses: number,
): string {
  if (statuses === 0) return page('*', conditions, NEWEST_FIRST);
  if (statuses === 1) return page('*', [...conditions, isIn(0)], order);
  const pages = Array.from(
    { length: statuses },
    (_, n) => `SELECT ord FROM (${page('ord', [...conditions, isIn(n)], order)}) AS page_${n}`,
  );
  return page('*', [isFound(pages.join(' UNION ALL '))], NEWEST_FIRST);
}

const jobCounts = (statuses: string): string =>
  `SELECT status, count(*) AS jobs FROM jobs WHERE status IN (${statuses}) GROUP BY status`;

/** Reads the entries of the index by status that it counts, and no others. */
export const JOB_COUNTS = {
  live: jobCounts(LIVE),
  over: jobCounts(OVER),
} as const;
