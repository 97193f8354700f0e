import { LIVE, OVER } from './jobs.js';
import { isNamedBy, type NamedWords } from './named.js';

/**
 * Statements about the removal of whole runs, made for each dialect from what differs; named
 * parameters.
 */

export interface PruneWords {
  /** Whether a column is among the texts of a list parameter. */
  readonly among: (column: string, list: string) => string;
  /**
   * Which rows of `events` and `steps` belong to the job of the outer `jobs`, and to jobs of the
   * list `@ids`.
   */
  readonly ofJob: (table: 'events' | 'steps') => string;
  readonly ofIds: (table: 'events' | 'steps') => string;
  /**
   * Behind `jobs` where the planner must be told which index has the runs in the order of their
   * ends.
   */
  readonly byEnd: string;
  /** Where the rows of a table lie, under its name. */
  readonly rowsOf: (table: PruneTable) => string;
  /** What a row is removed by. */
  readonly rowKey: 'rowid' | 'ctid';
  readonly named: NamedWords;
}

/**
 * Rows that go with a run, those that name others first. What it used stays in the totals of its
 * days.
 */
export const PRUNE_TABLES = [
  'usage_runs',
  'decisions',
  'review_items',
  'gates',
  'timers',
  'steps',
  'events',
  'artifacts',
  'canary_results',
  'prompts',
  'jobs',
] as const;
export type PruneTable = (typeof PRUNE_TABLES)[number];

/**
 * The end of the log is taken off last, so that what is left of a run always ends as its record
 * says.
 */
const ORDER: Partial<Record<PruneTable, string>> = { events: ' ORDER BY seq' };

const ENDED_AT = 'coalesce(completed_at, parked_at)';
const IS_OVER = `status IN (${OVER})`;

/**
 * Never the job that was submitted last, nor that of the newest event: in SQLite their numbers
 * would be given again. Nor one whose caller may still go on: where only a resume wakes the caller,
 * it has not taken the result yet, and would ask for the same run anew.
 */
const MAY_GO = `
  AND NOT EXISTS (
    SELECT 1 FROM jobs AS c WHERE c.id = jobs.caller_job_id AND c.status IN (${LIVE})
    LIMIT 1 OFFSET 0
  )
  AND NOT EXISTS (SELECT 1 FROM gates WHERE gates.job_id = jobs.id AND gates.status = 'pending' AND gates.withdrawn = 0)
  AND NOT EXISTS (
    SELECT 1 FROM review_items AS i WHERE i.job_id = jobs.id AND i.status = 'pending' AND i.stale = 0 AND i.withdrawn = 0
  )
  AND NOT EXISTS (SELECT 1 FROM pruned_runs WHERE pruned_runs.job_id = jobs.id)
  AND jobs.ord < (SELECT max(ord) FROM jobs) AND jobs.id <> coalesce((SELECT job_id FROM events WHERE pos = (SELECT max(pos) FROM events)), '')`;

const IS_DUE = `${IS_OVER} AND ${ENDED_AT} <= @before`;

/**
 * Whether a run goes that ended at an instant or later; with `@undone` 1 also one that an
 * interrupted removal has begun with. LIMIT and OFFSET: PostgreSQL would make a table of all runs
 * that go, for each page of them, instead of looking at the one.
 */
const goesFrom = (jobId: string): string => `
  (EXISTS (SELECT 1 FROM jobs WHERE jobs.id = ${jobId} AND (${ENDED_AT}, ord) >= (@at, @ord) AND ${IS_DUE}${MAY_GO} LIMIT 1 OFFSET 0)
    OR CAST(@undone AS INTEGER) = 1 AND EXISTS (SELECT 1 FROM pruned_runs WHERE pruned_runs.job_id = ${jobId} AND is_done = 0 LIMIT 1 OFFSET 0))`;

export function pruneStatements({ among, ofJob, ofIds, byEnd, rowsOf, rowKey, named }: PruneWords) {
  const where = (table: string): string => {
    if (table === 'events' || table === 'steps') return ofIds(table);
    return among(table === 'jobs' ? 'id' : table === 'artifacts' ? 'run_id' : 'job_id', '@ids');
  };
  const last = (column: string): string =>
    `coalesce((SELECT ${column} FROM events WHERE ${ofJob('events')} ORDER BY seq DESC LIMIT 1), ${column === 'hash' ? "''" : '0'})`;
  return {
    DUE: `
SELECT id, ord, ${ENDED_AT} AS at FROM jobs${byEnd}
WHERE ${IS_DUE} AND ${ENDED_AT} >= @at AND (${ENDED_AT}, ord) > (@at, @ord)${MAY_GO}
ORDER BY ${ENDED_AT}, ord LIMIT @limit`,
    ENDED: `
SELECT count(*) AS runs FROM (SELECT 1 FROM jobs${byEnd} WHERE ${IS_DUE} LIMIT @limit) AS counted`,
    UNDONE: 'SELECT job_id AS id FROM pruned_runs WHERE is_done = 0 ORDER BY job_id LIMIT @limit',
    /** Judged again under the lock of the write that removes them. */
    FACTS: `
SELECT id AS job_id, topology, status, ${ENDED_AT} AS ended_at, ${last('seq')} AS last_seq, ${last('hash')} AS last_hash, ${last('pos')} AS last_pos,
  (SELECT count(*) FROM events WHERE ${ofJob('events')}) AS event_count
FROM jobs WHERE ${among('id', '@ids')} AND ${IS_DUE}${MAY_GO}`,
    /** Nobody can go on with a run that has begun to go. */
    END_STOPPED: `
UPDATE jobs SET status = 'failed', reason = 'pruned', error = 'what the run held is being removed', completed_at = parked_at, parked_at = NULL
WHERE ${among('id', '@ids')} AND status = 'stopped'`,
    RECORD: `
INSERT INTO pruned_runs (job_id, topology, status, last_seq, last_hash, last_pos, event_count, ended_at, pruned_at, digest, is_open, is_done)
VALUES (@jobId, @topology, @status, @lastSeq, @lastHash, @lastPos, @eventCount, @endedAt, @now, @digest, 0, 0)`,
    ALLOW_REMOVAL: `UPDATE pruned_runs SET is_open = 1 WHERE is_done = 0 AND ${among('job_id', '@ids')}`,
    OPENED: `SELECT job_id AS id FROM pruned_runs WHERE is_open = 1 AND ${among('job_id', '@ids')}`,
    END_REMOVAL: `UPDATE pruned_runs SET is_open = 0, is_done = @isDone WHERE is_open = 1 AND ${among('job_id', '@ids')}`,
    ADD_CANDIDATES: (digests: string): string => `
INSERT INTO blob_candidates (sha256, since) SELECT d.value, @now FROM ${digests} WHERE true
ON CONFLICT (sha256) DO UPDATE SET since = excluded.since`,
    SHARE: (table: PruneTable, bytes: string): string =>
      `SELECT count(*) AS rows, coalesce(sum(${bytes}), 0) AS bytes FROM ${table} WHERE ${where(table)}`,
    ROW_KEYS: (table: PruneTable): string =>
      `SELECT ${rowKey} FROM ${rowsOf(table)} WHERE ${where(table)}${ORDER[table] ?? ''} LIMIT @limit`,
    DIGESTS: `
SELECT outcome_sha256 AS sha256 FROM steps WHERE ${ofIds('steps')} AND outcome_sha256 IS NOT NULL
UNION ALL SELECT snapshot FROM jobs WHERE ${among('id', '@ids')}
UNION ALL SELECT diffs_sha256 FROM jobs WHERE ${among('id', '@ids')} AND diffs_sha256 IS NOT NULL
UNION ALL SELECT sha256 FROM artifacts WHERE ${among('run_id', '@ids')}`,
    ATTACHMENTS: `SELECT attachments FROM jobs WHERE ${among('id', '@ids')} AND attachments <> '[]'`,
    /**
     * Digests that no row names but of runs that go, the first of them at an instant or later: each
     * is found once, whatever the pages of the runs.
     */
    FREED: (digests: string): string => `
SELECT d.value AS sha256 FROM ${digests} WHERE NOT ${isNamedBy(named, 'd.value', (jobId) => ` AND NOT ${goesFrom(jobId)}`)}`,
    PRUNED: 'SELECT * FROM pruned_runs WHERE job_id = @jobId',
    ANY_ACCESS: 'SELECT 1 AS found FROM serve_access WHERE at < @before LIMIT 1',
    ACCESS_KEYS: `SELECT ${rowKey} FROM serve_access WHERE at < @before ORDER BY at LIMIT @limit`,
    OPEN_ACCESS: 'INSERT INTO pruned_access (before, lines, pruned_at, is_open) VALUES (@before, 0, @now, 1)',
    CLOSE_ACCESS: 'UPDATE pruned_access SET is_open = 0, lines = @lines WHERE is_open = 1',
  };
}

/** The run with the lowest number. */
export const OLDEST = 'SELECT created_at AS oldest FROM jobs ORDER BY ord LIMIT 1';

/**
 * Of the log: up to where an event of any run may be gone (null = none ever was removed), its end
 * (null = it is empty), and the hash of the event at `@afterPos` (null = it is not there).
 */
const STATE = `(SELECT max(last_pos) FROM pruned_runs) AS gone, (SELECT max(pos) FROM events) AS last,
  (SELECT hash FROM events WHERE pos = @afterPos) AS hash`;
export const HORIZON = `SELECT ${STATE}`;
/** And up to where an event of one run may be gone. */
export const HORIZON_OF_RUN = `SELECT (SELECT last_pos FROM pruned_runs WHERE job_id = @jobId) AS gone_of_run, ${STATE}`;
