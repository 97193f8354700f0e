/** Right to write: the row is locked by the open write transaction, so the answer holds until the commit (journal.md 5.1). */
export const CHECK_FENCE = `
SELECT labels, correlation_id, crashes, topology, stop_requested_at, stop_requested_by FROM jobs
WHERE id = @jobId AND worker_id = @workerId AND attempt = @attempt AND status = 'running'`;

export const INSERT_JOB = `
INSERT INTO jobs (id, status, waiting_status, topology, version, input, correlation_id, labels, parent_job_id, source, submitted_by, submitted_assurance,
  attempt, crashes, job_class, priority, engine, needs, snapshot, recover, waiting_on, auto_resume, executed_ms, timeout_ms, attachments, created_at)
VALUES (@id, @status, @status, @topology, @version, @input, @correlation_id, @labels, @parent_job_id, @source, @submitted_by, @submitted_assurance,
  0, 0, @job_class, @priority, @engine, @needs, @snapshot, @recover, '[]', 1, 0, @timeout_ms, @attachments, @now)
ON CONFLICT (id) DO NOTHING`;

export const GET_JOB = 'SELECT * FROM jobs WHERE id = @jobId';
export const GET_STOP = 'SELECT stop_requested_at FROM jobs WHERE id = @jobId';
export const GET_ORD = 'SELECT ord FROM jobs WHERE id = @jobId';
export const GET_DIFFS = 'SELECT diffs_sha256 FROM jobs WHERE id = @jobId';

/** Conditions of a list, joined as its filter needs them; newest first. */
export const LIST_JOBS = 'SELECT * FROM jobs';
export const LIST_ORDER = 'ORDER BY ord DESC LIMIT @limit';
export const LIST_CONDITIONS = {
  idPrefix: 'id >= @idPrefix AND id < @idPrefix || char(1114111)',
  correlationId: 'correlation_id = @correlationId',
  topology: 'topology = @topology',
  status: 'status IN (SELECT value FROM json_each(@status))',
  beforeOrd: 'ord < @beforeOrd',
} as const;

/** `kit_meets(needs, offers)` is a function of each connection (store/meets-needs.ts): SQL knows no version ranges. */
const IS_MINE = "engine = @engine AND (@jobClass = 'any' OR job_class = @jobClass) AND (@jobId IS NULL OR id = @jobId) AND kit_meets(needs, @offers)";

/**
 * Both arms read their partial index in order and stop early; asked on a read connection first, so that an idle poll writes
 * nothing. INDEXED BY: left to itself the planner takes the index by status and sorts all that waits.
 */
export const CLAIMABLE = `
SELECT ord FROM (SELECT ord, priority, created_at FROM jobs INDEXED BY jobs_claimable WHERE status IN ('pending', 'queued') AND ${IS_MINE} ORDER BY priority DESC, created_at, ord LIMIT @limit)
UNION ALL
SELECT ord FROM (SELECT ord FROM jobs INDEXED BY jobs_due WHERE status = 'running' AND worker_id IS NULL AND wake_at IS NOT NULL AND wake_at <= @now AND ${IS_MINE} ORDER BY wake_at LIMIT @limit)`;

const TAKE = `
  status = 'running', worker_id = @workerId, lease_until = @leaseUntil, holder = @holder, attempt = attempt + 1,
  claimed_at = @now, started_at = coalesce(started_at, @now), parked_at = NULL, wake_at = NULL`;

export const CLAIM_JOBS = `
UPDATE jobs SET ${TAKE}
WHERE ord IN (SELECT ord FROM jobs WHERE ord IN (${CLAIMABLE}) ORDER BY priority DESC, created_at, ord LIMIT @limit)
RETURNING *`;

/** A row that this transaction has just inserted or resumed, claimed at once. */
export const CLAIM_ONE = `UPDATE jobs SET ${TAKE} WHERE id = @jobId AND status IN ('pending', 'queued')`;

export const HEARTBEAT = `
UPDATE jobs SET lease_until = @leaseUntil, executed_ms = executed_ms + @executedMs
WHERE id = @jobId AND worker_id = @workerId AND attempt = @attempt AND status = 'running'
RETURNING stop_requested_at`;

/** Gives a lease up; the caller has checked the fence or the lease in the same transaction. */
export const REQUEUE_JOB = `
UPDATE jobs SET status = waiting_status, worker_id = NULL, lease_until = NULL, holder = NULL, wake_at = NULL, crashes = @crashes WHERE id = @jobId`;

export const RESUME_JOB = `
UPDATE jobs SET status = waiting_status, reason = NULL, error = NULL, waiting_on = '[]', wake_at = NULL, stop_requested_at = NULL, stop_requested_by = NULL,
  parked_at = NULL, completed_at = NULL, crashes = 0
WHERE id = @jobId AND status IN ('deferred', 'stopped')`;

export const REQUEST_STOP = 'UPDATE jobs SET stop_requested_at = @now, stop_requested_by = @by WHERE id = @jobId';

/** A stopped job is parked: it can go on. It keeps no worker; a finished one keeps the name of the worker that finished it. */
export const END_JOB = `
UPDATE jobs SET status = @status, reason = @reason, error = @error, output = @output, usage = @usage, diff_length = @diffLength, diffs_sha256 = @diffsSha256,
  lease_until = NULL, holder = NULL, wake_at = NULL, waiting_on = '[]',
  worker_id = CASE WHEN @status = 'stopped' THEN NULL ELSE worker_id END,
  parked_at = CASE WHEN @status = 'stopped' THEN @endedAt ELSE NULL END,
  completed_at = CASE WHEN @status = 'stopped' THEN NULL ELSE @endedAt END
WHERE id = @jobId`;

/** An ending that the store writes for a run nobody executes: what the run has produced so far stays. */
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

export const CLEAR_CRASHES = 'UPDATE jobs SET crashes = 0 WHERE id = @jobId';

/** Everything under a lease; whose is over is decided outside SQL (a process is not a column). */
export const HELD_JOBS = "SELECT * FROM jobs INDEXED BY jobs_held WHERE status = 'running' AND worker_id IS NOT NULL ORDER BY ord";
export const HELD_JOB = "SELECT * FROM jobs WHERE id = @jobId AND worker_id = @workerId AND attempt = @attempt AND status = 'running'";
