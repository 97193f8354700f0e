import { TAKE } from '../../sql/jobs.js';

export {
  CLAIM_ONE,
  CLEAR_CRASHES,
  END_ABANDONED_JOB,
  END_JOB,
  GET_DIFFS,
  GET_JOB,
  GET_ORD,
  HEARTBEAT,
  INSERT_JOB,
  LIST_JOBS,
  LIST_ORDER,
  PARK_JOB,
  QUEUE_DEPTH,
  REQUEST_STOP,
  REQUEUE_JOB,
  RESUME_JOB,
  WAKE_JOB,
} from '../../sql/jobs.js';

export const GET_STOP = 'SELECT stop_requested_at FROM jobs WHERE id = @jobId';

const FENCED = 'id, worker_id, attempt, status, labels, correlation_id, crashes, topology, stop_requested_at, stop_requested_by';

/**
 * The first statement of a commit: locks the rows of all its jobs, in one order in every process. The fence is judged on
 * what this returns: the rows as they are once they are locked (journal.md 5.1).
 */
export const LOCK_JOBS = `SELECT ${FENCED} FROM jobs WHERE id = ANY(CAST(@jobIds AS TEXT[])) ORDER BY id FOR NO KEY UPDATE`;
export const LOCK_JOB = `SELECT ${FENCED} FROM jobs WHERE id = @jobId FOR NO KEY UPDATE`;
export const GET_JOB_LOCKED = 'SELECT * FROM jobs WHERE id = @jobId FOR NO KEY UPDATE';

/** Without the version that a canary route may have put behind it; as the index has it. */
export const TOPOLOGY_NAME = "split_part(topology, '@', 1)";

/** Conditions of a list, joined as its filter needs them. Ids are compared byte by byte (COLLATE "C"), so a prefix is a range. */
export const LIST_CONDITIONS = {
  idPrefix: 'id >= @idPrefix AND id < CAST(@idPrefix AS TEXT) || chr(1114111)',
  correlationId: 'correlation_id = @correlationId',
  topology: `hashtextextended(${TOPOLOGY_NAME}, 0) = hashtextextended(CAST(@topology AS TEXT), 0) AND ${TOPOLOGY_NAME} = @topology`,
  version: 'version = @version',
  source: 'hashtextextended(source, 0) = hashtextextended(CAST(@source AS TEXT), 0) AND source = @source',
  status: 'status = ANY(CAST(@status AS TEXT[]))',
  beforeOrd: 'ord < @beforeOrd',
} as const;

const WAITS = "status IN ('pending', 'queued')";
const IS_DUE = "status = 'running' AND worker_id IS NULL AND wake_at IS NOT NULL";

/** Each different `needs` of the jobs that wait, one index entry each; version ranges are judged outside SQL (meets-needs.ts). */
const distinctNeeds = (condition: string): string => `
  (WITH RECURSIVE found AS (
    (SELECT hashtextextended(needs, 0) AS hash, needs FROM jobs WHERE ${condition} ORDER BY hashtextextended(needs, 0) LIMIT 1)
    UNION ALL
    SELECT next.hash, next.needs FROM found CROSS JOIN LATERAL (
      SELECT hashtextextended(needs, 0) AS hash, needs FROM jobs
      WHERE ${condition} AND hashtextextended(needs, 0) > found.hash ORDER BY hashtextextended(needs, 0) LIMIT 1
    ) AS next
  ) SELECT needs FROM found)`;
export const WAITING_NEEDS = `${distinctNeeds(WAITS)} UNION ${distinctNeeds(IS_DUE)}`;

const IS_MINE = `engine = @engine AND (CAST(@jobClass AS TEXT) = 'any' OR job_class = @jobClass)
    AND (CAST(@jobId AS TEXT) IS NULL OR id = @jobId) AND needs = ANY(CAST(@met AS TEXT[]))`;

const WAITING_ARM = `SELECT ord, priority, created_at FROM jobs WHERE ${WAITS} AND ${IS_MINE} ORDER BY priority DESC, created_at, ord LIMIT @limit`;
const DUE_ARM = `SELECT ord, priority, created_at FROM jobs WHERE ${IS_DUE} AND wake_at <= (SELECT kit_now()) AND ${IS_MINE} ORDER BY wake_at LIMIT @limit`;

/** Asked first, so that an idle poll writes nothing. */
export const CLAIMABLE = `(${WAITING_ARM}) UNION ALL (${DUE_ARM}) LIMIT 1`;

/** Each arm reads its partial index in order and stops early; a row that another claim holds is passed over. */
export const CLAIM_JOBS = `
WITH waiting AS (${WAITING_ARM} FOR UPDATE SKIP LOCKED),
due AS (${DUE_ARM} FOR UPDATE SKIP LOCKED),
chosen AS (SELECT ord FROM (SELECT * FROM waiting UNION ALL SELECT * FROM due) AS both_arms ORDER BY priority DESC, created_at, ord LIMIT @limit)
UPDATE jobs SET ${TAKE}
WHERE ord IN (SELECT ord FROM chosen)
RETURNING *`;

/** Leases that are over by the store's clock (journal.md 5.4), which is asked once: so the index can be used. */
export const OVERDUE_JOBS =
  "SELECT id, worker_id, attempt FROM jobs WHERE status = 'running' AND worker_id IS NOT NULL AND lease_until < (SELECT kit_now()) ORDER BY ord";
export const HELD_JOB =
  "SELECT * FROM jobs WHERE id = @jobId AND worker_id = @workerId AND attempt = @attempt AND status = 'running' FOR NO KEY UPDATE";
