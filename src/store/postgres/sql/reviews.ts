import {
  DROP_TIMERS,
  IS_NEWEST,
  isSettled,
  reviewedJobs,
  reviewsOfJobs,
  WITHDRAW_GATES,
  WITHDRAW_ITEMS,
} from '../../sql/reviews.js';

const IN_JOBS = '= ANY(CAST(@jobIds AS TEXT[]))';

/**
 * With the store's clock: asked once the row is locked, so that a deadline is not judged by a time
 * before the wait for the lock.
 */
export const REVIEWED_JOBS = `SELECT kit_now() AS now, ${reviewedJobs('events.job_id = jobs.id')} WHERE id ${IN_JOBS}`;

export const { GATES_OF_JOBS, ITEMS_OF_JOBS, DECISIONS_OF_JOBS } = reviewsOfJobs(
  (table) => `SELECT * FROM ${table} WHERE job_id ${IN_JOBS}`,
);

export const IS_SETTLED = isSettled('unnest(CAST(@waitingOn AS TEXT[])) AS waited(value)');

/** One statement: a run without reviews, which is nearly every run, pays one round trip for it. */
export const WITHDRAW_REVIEWS = `WITH rounds AS (${WITHDRAW_GATES} RETURNING 1), deadlines AS (${DROP_TIMERS} RETURNING 1) ${WITHDRAW_ITEMS}`;

/** The same of many runs. */
export const WITHDRAW_REVIEWS_OF = WITHDRAW_REVIEWS.replaceAll('job_id = @jobId', `job_id ${IN_JOBS}`);

/**
 * Gates whose newest round was decided this way. The range is written as a comparison of pairs:
 * with `status =` the planner takes the order from the primary key and passes over everything that
 * was decided otherwise.
 */
export const DECIDED_GATES = `
SELECT * FROM gates WHERE (status, ord) > (@status, @afterOrd) AND status <= @status AND status <> 'pending' AND ${IS_NEWEST}
ORDER BY status, ord LIMIT @limit`;

export const ITEM_IDS =
  'SELECT id FROM review_items WHERE id >= @prefix AND id < CAST(@prefix AS TEXT) || chr(1114111) ORDER BY id LIMIT @limit';

/** A list of JSON as an array that is made once, so that an index can be looked through with it. */
const texts = (param: string): string => `ARRAY(SELECT json_array_elements_text(CAST(@${param} AS json)))`;

export const OF_ROLES = `(role IS NULL OR role = ANY(${texts('roles')}))`;

export const OF_TOPOLOGIES = `topology_id = ANY(${texts('topologies')})`;

/** The store's clock is asked once: so the index can be used. */
const DUE = `
SELECT job_id, kind, key, due_at, (SELECT max(round) FROM gates WHERE gate_id = timers.key) AS round FROM timers
WHERE kind <> 'remote' AND due_at <= (SELECT kit_now())`;

/**
 * Those of stopped jobs rest until the job goes on: nobody can decide about them, and they must not
 * stand before others.
 */
export const DUE_TIMERS = `${DUE} AND NOT EXISTS (SELECT 1 FROM jobs WHERE id = timers.job_id AND status = 'stopped') ORDER BY due_at LIMIT @limit`;
export const DUE_TIMERS_OF_JOB = `${DUE} AND job_id = @jobId ORDER BY due_at LIMIT @limit`;
