import { EARLIER_IN_POSTGRES } from '../../earlier-submitters.js';
import { insertJob, newJob, type StatusWords, takenAt, WAITS } from '../../sql/jobs.js';
import { endOfLog } from './events.js';
import { msAfter } from './session.js';

/**
 * How many wait, up to one more than may; null where a count that still stands says that no more
 * do. `ord` grows with each insert: what was inserted since that count is no more than it has grown
 * by.
 */
export const COUNT_QUEUED = `
SELECT ord, now,
  CASE WHEN now <= @standsUntil AND @queued + ord - @ord <= @most THEN NULL
    ELSE (SELECT count(*) FROM (SELECT 1 FROM jobs WHERE ${WAITS} LIMIT @most + 1) AS waiting) END AS queued
FROM (SELECT coalesce((SELECT max(ord) FROM jobs), 0) AS ord, kit_now() AS now) AS newest`;

/**
 * The same, and fails (division_by_zero) where more wait than may. Materialized: the server would
 * count once for each of the two columns.
 */
export const REQUIRE_ROOM = `
WITH counted AS MATERIALIZED (${COUNT_QUEUED})
SELECT counted.*, 1 / CAST(coalesce(queued, 0) <= @most AS INT) AS room FROM counted`;

export const FIND_STOPS =
  'SELECT id FROM jobs WHERE id = ANY(CAST(@jobIds AS TEXT[])) AND stop_requested_at IS NOT NULL';

/** The row as it was made; none where the id is used. */
export const INSERT_AND_GET_JOB = `${insertJob(EARLIER_IN_POSTGRES)} RETURNING *`;
/** The same, refused where the id is used. */
export const INSERT_NEW_JOB = `${newJob(EARLIER_IN_POSTGRES, 'kit_now()')} RETURNING *`;

const FENCED =
  'ord, id, worker_id, attempt, status, labels, correlation_id, crashes, topology, stop_requested_at, stop_requested_by, caller_job_id';

/**
 * The first statement of a commit: locks the rows of all its jobs, in one order in every process.
 * The fence is judged on what this returns: the rows as they are once they are locked
 * (docs/design/journal.md#fence).
 */
export const LOCK_JOBS = `SELECT ${FENCED} FROM jobs WHERE id = ANY(CAST(@jobIds AS TEXT[])) ORDER BY id FOR NO KEY UPDATE`;
export const LOCK_JOB = `SELECT ${FENCED} FROM jobs WHERE id = @jobId FOR NO KEY UPDATE`;

/**
 * The same of rows that are known already, given in the order of their ids: fails
 * (division_by_zero) where one of the claims does not hold, or the run was asked to stop meanwhile,
 * or another store has been moved here. A row that is waited for is judged as it then is. Each is
 * looked up by its id alone: a join in order had the server walk all jobs there are, and a status
 * by which it could look had it walk all that run, where none did when it last took its statistics.
 */
export const HOLD_JOBS = `
WITH held AS MATERIALIZED (
  SELECT job.worker_id = mine.worker_id AND job.attempt = mine.attempt AND job.status = 'running' AND job.crashes = 0
    AND job.stop_requested_at IS NULL AS is_mine
  FROM unnest(CAST(@jobIds AS TEXT[]), CAST(@workerIds AS TEXT[]), CAST(@attempts AS BIGINT[])) AS mine (id, worker_id, attempt)
  CROSS JOIN LATERAL (SELECT * FROM jobs WHERE jobs.id = mine.id FOR NO KEY UPDATE) AS job
)
SELECT 1 / CAST(coalesce((SELECT count(*) FILTER (WHERE is_mine) FROM held) = @rows
  AND (SELECT value FROM store_meta WHERE key = 'log_id') = @logId, false) AS INT)`;

/**
 * The runs that a run is about to wait for: locked, so that none of them comes to rest unseen
 * before this one has parked.
 */
export const SHARE_JOBS = 'SELECT status FROM jobs WHERE id = ANY(CAST(@jobIds AS TEXT[])) ORDER BY id FOR SHARE';

/** Without the version that a canary route may have put behind it; as the index has it. */
export const TOPOLOGY_NAME = "split_part(topology, '@', 1)";

/**
 * Conditions of a list, joined as its filter needs them. Ids are compared byte by byte (COLLATE
 * "C"), so a prefix is a range.
 */
export const LIST_CONDITIONS = {
  idPrefix: 'id >= @idPrefix AND id < CAST(@idPrefix AS TEXT) || chr(1114111)',
  correlationId: 'correlation_id = @correlationId',
  topology: `hashtextextended(${TOPOLOGY_NAME}, 0) = hashtextextended(CAST(@topology AS TEXT), 0) AND ${TOPOLOGY_NAME} = @topology`,
  version: 'version = @version',
  source: 'hashtextextended(source, 0) = hashtextextended(CAST(@source AS TEXT), 0) AND source = @source',
  beforeOrd: 'ord < @beforeOrd',
} as const;

/**
 * As a range of both columns: of an equal status the planner knows that it need not be sorted by,
 * and walks back through all jobs instead.
 */
export const OF_STATUS: StatusWords = {
  isIn: (n) => `(status, ord) >= (@status${n}, 0) AND (status, ord) <= (@status${n}, 9223372036854775807)`,
  order: 'ORDER BY status DESC, ord DESC',
  isFound: (ords) => `ord = ANY(ARRAY(${ords}))`,
};

const IS_DUE = "status = 'running' AND worker_id IS NULL AND wake_at IS NOT NULL";

/**
 * Each different `needs` of the jobs that wait, one index entry each; version ranges are judged
 * outside SQL (meets-needs.ts).
 */
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

const IS_MINE = 'engine = @engine AND job_class = ANY(CAST(@classes AS TEXT[])) AND needs = ANY(CAST(@met AS TEXT[]))';

const arm = (condition: string, order: string, also: string): string =>
  `SELECT ord, priority, created_at FROM jobs WHERE ${condition} AND ${IS_MINE}${also} ORDER BY ${order} LIMIT @limit`;
const DUE_NOW = `${IS_DUE} AND wake_at <= (SELECT kit_now())`;
const waiting = (also: string): string => arm(WAITS, 'priority DESC, created_at, ord', also);
const due = (also: string): string => arm(DUE_NOW, 'wake_at', also);

const HASH = 'hashtextextended(jobs.needs, 0)';

/**
 * Whether one row waits for this claimer. Each of its needs and classes is looked up by the whole
 * key of the index of needs, so that rows which are not for it are not walked, however many there
 * are. Bounds and not equality, because the order by what is equal would be left out, and with it
 * what keeps a planner that takes most rows for the claimer's from reading the table until it finds
 * one.
 */
const isSome = (condition: string, order: string): string => `EXISTS (
  SELECT 1 FROM unnest(CAST(@met AS TEXT[])) AS mine (needs) CROSS JOIN unnest(CAST(@classes AS TEXT[])) AS class (name) CROSS JOIN LATERAL (
    SELECT 1 FROM jobs WHERE ${condition} AND jobs.needs = mine.needs
      AND (${HASH}, engine, job_class) >= (hashtextextended(mine.needs, 0), @engine, class.name)
      AND (${HASH}, engine, job_class) <= (hashtextextended(mine.needs, 0), @engine, class.name)
    ORDER BY ${order} LIMIT 1
  ) AS one)`;

/** Asked first, so that an idle poll writes nothing. `needs`: of all that waits, for anybody. */
export const LOOK = `
SELECT ${isSome(WAITS, `${HASH}, engine, job_class`)} OR ${isSome(DUE_NOW, HASH)} AS some,
  ARRAY(SELECT found.needs FROM (${WAITING_NEEDS}) AS found) AS needs`;

/** The needs of one job that waits; none where it does not. */
export const NEEDS_OF_WAITING = `SELECT needs FROM jobs WHERE id = @jobId AND (${WAITS} OR ${DUE_NOW})`;

/**
 * Nothing is taken while something waits whose needs were not judged yet: it may come first.
 * `judged` null: taken all the same.
 */
const IS_JUDGED = `(CAST(@judged AS TEXT[]) IS NULL OR NOT EXISTS (
  SELECT 1 FROM (${WAITING_NEEDS}) AS found WHERE found.needs <> ALL(CAST(@judged AS TEXT[]))))`;

const ONCE_JUDGED = ' AND (SELECT are_all FROM judged)';

/**
 * What was claimed, and where its log ended when it was: what somebody has added since is met by
 * whoever writes behind it.
 */
const WITH_LOG_END = `
SELECT claimed.*, log.seq AS log_seq, log.hash AS log_hash, log.has_called FROM claimed
LEFT JOIN LATERAL (${endOfLog('claimed.id')}) AS log ON true`;

/** By the store's clock, asked here and once: who claims need not have been told the time. */
const AT = 'at AS MATERIALIZED (SELECT kit_now() AS now)';
const NOW = '(SELECT now FROM at)';
const TAKE = takenAt(NOW, msAfter(NOW, 'CAST(@leaseMs AS BIGINT)'));

/**
 * Each arm reads its partial index in order and stops early; a row that another claim holds is
 * passed over.
 */
export const CLAIM_JOBS = `
WITH ${AT}, judged AS MATERIALIZED (SELECT ${IS_JUDGED} AS are_all),
waiting AS (${waiting(ONCE_JUDGED)} FOR UPDATE SKIP LOCKED),
due AS (${due(ONCE_JUDGED)} FOR UPDATE SKIP LOCKED),
chosen AS (SELECT ord FROM (SELECT * FROM waiting UNION ALL SELECT * FROM due) AS both_arms ORDER BY priority DESC, created_at, ord LIMIT @limit),
claimed AS (UPDATE jobs SET ${TAKE} WHERE ord IN (SELECT ord FROM chosen) RETURNING *)
${WITH_LOG_END}`;

/** As CLAIM_JOBS, of one job: by its id, and not along the queue. */
export const CLAIM_JOB = `
WITH ${AT}, claimed AS (
  UPDATE jobs SET ${TAKE}
  WHERE ord IN (SELECT ord FROM jobs WHERE id = @jobId AND (${WAITS} OR ${DUE_NOW}) AND ${IS_MINE} FOR UPDATE SKIP LOCKED)
  RETURNING *)
${WITH_LOG_END}`;

/** What a claim took: its word for the holder is its own. */
export const CLAIMED_JOBS =
  "SELECT * FROM jobs WHERE status = 'running' AND worker_id = @workerId AND holder = @holder";

/**
 * Leases that are over by the store's clock (docs/design/journal.md#same-host), which is asked
 * once: so the index can be used.
 */
export const OVERDUE_JOBS =
  "SELECT id, worker_id, attempt FROM jobs WHERE status = 'running' AND worker_id IS NOT NULL AND lease_until < (SELECT kit_now()) ORDER BY ord";
