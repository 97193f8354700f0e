import { DECISIONS, GATES, ITEMS, MUTABLE_OF_DECISION, MUTABLE_OF_GATE, MUTABLE_OF_ITEM } from '../review-rows.js';

/**
 * Statements about gates, items, decisions and deadlines that are the same text in both dialects;
 * named parameters.
 */

export const INSERT_GATE = GATES.insert;
export const UPDATE_GATE = GATES.update(MUTABLE_OF_GATE, 'gate_id = @gate_id AND round = @round');

export const INSERT_ITEM = ITEMS.insert;
export const UPDATE_ITEM = ITEMS.update(MUTABLE_OF_ITEM, 'id = @id');

/** Earlier rounds, decided or not: what was said there is about other bytes. */
export const STALE_ITEMS = 'UPDATE review_items SET stale = 1 WHERE gate_id = @gateId AND round < @round AND stale = 0';

export const INSERT_DECISION = DECISIONS.insert;
export const MARK_DECISION = DECISIONS.update(MUTABLE_OF_DECISION, 'id = @id AND round = @round');

export const SET_TIMER = `
INSERT INTO timers (due_at, job_id, key, kind) VALUES (@dueAt, @jobId, @key, @kind)
ON CONFLICT (job_id, key, kind) DO UPDATE SET due_at = excluded.due_at`;
export const DROP_TIMER = 'DELETE FROM timers WHERE job_id = @jobId AND key = @key AND kind = @kind';

/** What a run leaves behind when it ends for good. */
export const WITHDRAW_GATES =
  "UPDATE gates SET withdrawn = 1 WHERE job_id = @jobId AND status = 'pending' AND withdrawn = 0";
export const WITHDRAW_ITEMS =
  "UPDATE review_items SET withdrawn = 1 WHERE job_id = @jobId AND status = 'pending' AND stale = 0 AND withdrawn = 0";
export const DROP_TIMERS = 'DELETE FROM timers WHERE job_id = @jobId';

/**
 * The columns of jobs that a decision is made on, and those of their events; the topology as the
 * first event of each names it, found by `ofJob`.
 */
export const reviewedJobs = (ofJob: 'events.run = jobs.ord' | 'events.job_id = jobs.id'): string => `
ord, id, status, submitted_by, submitted_assurance, submitted_name, earlier_submitters, waiting_on, auto_resume, labels, correlation_id,
  coalesce((SELECT topology_id FROM events WHERE ${ofJob} ORDER BY seq LIMIT 1), topology) AS topology_id
FROM jobs`;

/**
 * What stands about jobs in each table of reviews, in order; `rowsOf`: how a dialect finds the rows
 * of the list `jobIds` by the index of their jobs.
 */
export const reviewsOfJobs = (rowsOf: (table: string) => string) => ({
  GATES_OF_JOBS: `${rowsOf('gates')} ORDER BY job_id, gate_id, round`,
  ITEMS_OF_JOBS: `${rowsOf('review_items')} ORDER BY job_id, ord`,
  DECISIONS_OF_JOBS: `${rowsOf('decisions')} ORDER BY job_id, ord`,
});

export const NEWEST_ROUND = 'SELECT * FROM gates WHERE gate_id = @gateId ORDER BY round DESC LIMIT 1';
export const ONE_ROUND = 'SELECT * FROM gates WHERE gate_id = @gateId AND round = @round';
export const GET_ITEM = 'SELECT * FROM review_items WHERE id = @id';

/** Of rounds that were decided, the newest of their gate. */
export const IS_NEWEST =
  'NOT EXISTS (SELECT 1 FROM gates AS later WHERE later.gate_id = gates.gate_id AND later.round > gates.round)';

/**
 * Whether something of what a run is about to wait for is settled already: the newest round of a
 * gate, or an item. `waited`: its ids as rows with the column `value`.
 */
export const isSettled = (waited: string): string => `
SELECT EXISTS (SELECT 1 FROM ${waited} WHERE
  EXISTS (SELECT 1 FROM gates WHERE gate_id = waited.value AND (status <> 'pending' OR withdrawn = 1)
    AND round = (SELECT max(newest.round) FROM gates AS newest WHERE newest.gate_id = waited.value))
  OR EXISTS (SELECT 1 FROM review_items
    WHERE review_items.id = waited.value AND (status <> 'pending' OR stale = 1 OR withdrawn = 1))) AS settled`;

/** What nobody has settled; also the predicate of the partial indexes. */
export const IS_OPEN_ITEM = "status = 'pending' AND stale = 0 AND withdrawn = 0";
export const IS_OPEN_GATE = "status = 'pending' AND withdrawn = 0";

export const OPEN_GATES = `SELECT * FROM gates WHERE ${IS_OPEN_GATE} AND ord > @afterOrd ORDER BY ord LIMIT @limit`;

/** Of runs that are not stopped: nobody can decide what a stopped one asks before it goes on. */
export const IS_ASKED =
  "NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = review_items.job_id AND jobs.status = 'stopped')";

/** The others. Stopped runs are few: an index finds them, and another one what they ask. */
export const IS_OF_STOPPED = "job_id IN (SELECT jobs.id FROM jobs WHERE jobs.status = 'stopped')";

/** Conditions of a list of items, joined as its filter needs them. */
export const ITEM_CONDITIONS = {
  kind: 'kind = @kind',
  gateId: 'gate_id = @gateId',
  jobId: 'job_id = @jobId',
} as const;
