import { IS_NEWEST, isSettled, reviewedJobs, reviewsOfJobs } from '../../sql/reviews.js';

export const REVIEWED_JOBS = `SELECT @now AS now, ${reviewedJobs('events.run = jobs.ord')} WHERE id IN (SELECT value FROM json_each(@jobIds))`;

/** From the list to the rows, in this order: for `IN` a small table is read from end to end. */
export const { GATES_OF_JOBS, ITEMS_OF_JOBS, DECISIONS_OF_JOBS } = reviewsOfJobs(
  (table) => `SELECT ${table}.* FROM json_each(@jobIds) AS asked CROSS JOIN ${table} ON ${table}.job_id = asked.value`,
);

export const IS_SETTLED = isSettled('json_each(@waitingOn) AS waited');

/**
 * Gates whose newest round was decided this way; the second condition is the predicate of the
 * index.
 */
export const DECIDED_GATES = `
SELECT * FROM gates WHERE status = @status AND status <> 'pending' AND ord > @afterOrd AND ${IS_NEWEST} ORDER BY ord LIMIT @limit`;

export const ITEM_IDS =
  'SELECT id FROM review_items WHERE id >= @prefix AND id < @prefix || char(1114111) ORDER BY id LIMIT @limit';

export const OF_ROLES = '(role IS NULL OR role IN (SELECT value FROM json_each(@roles)))';

export const OF_TOPOLOGIES = 'topology_id IN (SELECT value FROM json_each(@topologies))';

const DUE = `
SELECT job_id, kind, key, due_at, (SELECT max(round) FROM gates WHERE gate_id = timers.key) AS round FROM timers
WHERE kind <> 'remote' AND due_at <= @now`;

/**
 * Those of stopped jobs rest until the job goes on: nobody can decide about them, and they must not
 * stand before others.
 */
export const DUE_TIMERS = `${DUE} AND NOT EXISTS (SELECT 1 FROM jobs WHERE id = timers.job_id AND status = 'stopped') ORDER BY due_at LIMIT @limit`;
export const DUE_TIMERS_OF_JOB = `${DUE} AND job_id = @jobId ORDER BY due_at LIMIT @limit`;
