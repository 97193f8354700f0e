import { EARLIER_IN_SQLITE } from '../../earlier-submitters.js';
import { insertJob, type StatusWords, TAKE } from '../../sql/jobs.js';

/** The row as it was made; none where the id is used. */
export const INSERT_AND_GET_JOB = `${insertJob(EARLIER_IN_SQLITE)} RETURNING *`;

/**
 * Right to write: the row is locked by the open write transaction, so the answer holds until the
 * commit (docs/design/journal.md#fence).
 */
export const CHECK_FENCE = `
SELECT ord, labels, correlation_id, crashes, topology, stop_requested_at, stop_requested_by, caller_job_id FROM jobs
WHERE id = @jobId AND worker_id = @workerId AND attempt = @attempt AND status = 'running'`;

/** The runs that a run is about to wait for. */
export const SHARE_JOBS = 'SELECT status FROM jobs WHERE id IN (SELECT value FROM json_each(@jobIds))';

/** Which of these runs somebody wants stopped. */
export const FIND_STOPS =
  'SELECT id FROM jobs WHERE stop_requested_at IS NOT NULL AND id IN (SELECT value FROM json_each(@jobIds))';

/** Without the version that a canary route may have put behind it; as the index has it. */
export const TOPOLOGY_NAME = "substr(topology, 1, instr(topology || '@', '@') - 1)";

/** Conditions of a list, joined as its filter needs them. */
export const LIST_CONDITIONS = {
  idPrefix: 'id >= @idPrefix AND id < @idPrefix || char(1114111)',
  correlationId: 'correlation_id = @correlationId',
  topology: `${TOPOLOGY_NAME} = @topology`,
  version: 'version = @version',
  source: 'source = @source',
  beforeOrd: 'ord < @beforeOrd',
} as const;

export const OF_STATUS: StatusWords = {
  isIn: (n) => `status = @status${n}`,
  order: 'ORDER BY ord DESC',
  isFound: (ords) => `ord IN (${ords})`,
};

/**
 * `kit_meets(needs, offers)` is a function of each connection (store/meets-needs.ts): SQL knows no
 * version ranges.
 */
const IS_MINE =
  "engine = @engine AND (@jobClass = 'any' OR job_class = @jobClass) AND (@jobId IS NULL OR id = @jobId) AND kit_meets(needs, @offers)";

/**
 * Both arms read their partial index in order and stop early; asked on a read connection first, so
 * that an idle poll writes nothing. INDEXED BY: left to itself the planner takes the index by
 * status and sorts all that waits.
 */
export const CLAIMABLE = `
SELECT ord FROM (SELECT ord, priority, created_at FROM jobs INDEXED BY jobs_claimable WHERE status IN ('pending', 'queued') AND ${IS_MINE} ORDER BY priority DESC, created_at, ord LIMIT @limit)
UNION ALL
SELECT ord FROM (SELECT ord FROM jobs INDEXED BY jobs_due WHERE status = 'running' AND worker_id IS NULL AND wake_at IS NOT NULL AND wake_at <= @now AND ${IS_MINE} ORDER BY wake_at LIMIT @limit)`;

export const CLAIM_JOBS = `
UPDATE jobs SET ${TAKE}
WHERE ord IN (SELECT ord FROM jobs WHERE ord IN (${CLAIMABLE}) ORDER BY priority DESC, created_at, ord LIMIT @limit)
RETURNING *`;

/** Everything under a lease; whose is over is decided outside SQL (a process is not a column). */
export const HELD_JOBS =
  "SELECT * FROM jobs INDEXED BY jobs_held WHERE status = 'running' AND worker_id IS NOT NULL ORDER BY ord";

/**
 * A stopped job is parked: it can go on. It keeps no worker; a finished one keeps the name of the
 * worker that finished it.
 */
export const END_JOB = `
UPDATE jobs SET status = @status, reason = @reason, error = @error, output = @output, usage = @usage, diff_length = @diffLength, diffs_sha256 = @diffsSha256,
  figures = @figures,
  lease_until = NULL, holder = NULL, wake_at = NULL, waiting_on = '[]',
  worker_id = CASE WHEN @status = 'stopped' THEN NULL ELSE worker_id END,
  parked_at = CASE WHEN @status = 'stopped' THEN @now END,
  completed_at = CASE WHEN @status <> 'stopped' THEN @now END
WHERE id = @jobId`;

export const HEARTBEAT = `
UPDATE jobs SET lease_until = @leaseUntil, executed_ms = executed_ms + @executedMs
WHERE id = @jobId AND worker_id = @workerId AND attempt = @attempt AND status = 'running'
RETURNING stop_requested_at`;
