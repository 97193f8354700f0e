import { msAfter } from './session.js';

/**
 * Statements that write rows of many runs at once, or of one: a group has one of each at most. A
 * row that one of them leaves alone is missed in its count.
 */
export interface GroupStatement {
  /** Tells how many rows it changed. */
  readonly counted: string;
  /** Fails (division_by_zero) where it changed more or fewer than `@rows`: COMMIT may follow. */
  readonly whole: string;
}

const groupStatement = (counted: string): GroupStatement => ({
  counted,
  whole: `WITH changed AS (${counted} RETURNING 1) SELECT 1 / CAST(count(*) = @rows AS INT) FROM changed`,
});

/** Columns of a list of rows as they come in, a parameter each. */
type Columns = Readonly<Record<string, 'TEXT' | 'BIGINT' | 'DOUBLE PRECISION'>>;

export const STEP_COLUMNS = {
  job_id: 'TEXT',
  key: 'TEXT',
  kind: 'TEXT',
  identity: 'TEXT',
  effects: 'TEXT',
  on_in_doubt: 'TEXT',
  attempt: 'BIGINT',
  step_id: 'TEXT',
  outcome: 'TEXT',
  outcome_sha256: 'TEXT',
  notes: 'TEXT',
  usage: 'TEXT',
  units: 'DOUBLE PRECISION',
  agent_id: 'TEXT',
  started_at: 'TEXT',
  ended_at: 'TEXT',
} as const satisfies Columns;

export const STEP_END_COLUMNS = {
  jobId: 'TEXT',
  key: 'TEXT',
  outcome: 'TEXT',
  outcomeSha256: 'TEXT',
  usage: 'TEXT',
  units: 'DOUBLE PRECISION',
  endedAt: 'TEXT',
} as const satisfies Columns;

export const BEAT_COLUMNS = { jobId: 'TEXT', leaseMs: 'BIGINT', executedMs: 'BIGINT' } as const satisfies Columns;

export const JOB_END_COLUMNS = {
  jobId: 'TEXT',
  status: 'TEXT',
  reason: 'TEXT',
  error: 'TEXT',
  output: 'TEXT',
  usage: 'TEXT',
  diffLength: 'BIGINT',
  diffsSha256: 'TEXT',
  figures: 'TEXT',
  executedMs: 'BIGINT',
} as const satisfies Columns;

export const PROMPT_COLUMNS = {
  job_id: 'TEXT',
  conversation: 'TEXT',
  follows: 'BIGINT',
  said: 'BIGINT',
  step_key: 'TEXT',
  agent_id: 'TEXT',
  skill_id: 'TEXT',
  purpose: 'TEXT',
  provider: 'TEXT',
  model: 'TEXT',
  tries: 'BIGINT',
  asked_at: 'TEXT',
  duration_ms: 'BIGINT',
  bytes: 'BIGINT',
  prompt: 'TEXT',
  answer: 'TEXT',
} as const satisfies Columns;

const names = (columns: Columns): string =>
  Object.keys(columns)
    .map((name) => name.toLowerCase())
    .join(', ');
const lists = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, type]) => `CAST(@${name} AS ${type}[])`)
    .join(', ');
const rows = (columns: Columns): string => `unnest(${lists(columns)}) WITH ORDINALITY AS r (${names(columns)}, place)`;

const RESTARTED = Object.keys(STEP_COLUMNS)
  .filter((name) => name !== 'job_id' && name !== 'key')
  .map((name) => `${name} = excluded.${name}`)
  .join(', ');

const INSERT_STEPS = `
INSERT INTO steps (${names(STEP_COLUMNS)})
SELECT ${Object.keys(STEP_COLUMNS)
  .map((name) => `r.${name}`)
  .join(', ')} FROM ${rows(STEP_COLUMNS)} ORDER BY r.place`;

const RESTART_STEPS = `${INSERT_STEPS}
ON CONFLICT (job_id, key) DO UPDATE SET ${RESTARTED}
WHERE steps.outcome IS NULL AND steps.outcome_sha256 IS NULL`;

/**
 * In the order that they are started in. A row that is in doubt is started again in place; one with
 * an outcome is left alone.
 */
export const START_STEPS = groupStatement(RESTART_STEPS);

/**
 * The same of steps that are most likely new: `whole` is refused where one of them is there. To
 * look for a conflict costs the server about as much as the row.
 */
export const START_NEW_STEPS: GroupStatement = { ...START_STEPS, whole: groupStatement(INSERT_STEPS).whole };

export const END_STEPS = groupStatement(`
UPDATE steps SET outcome = r.outcome, outcome_sha256 = r.outcomesha256, usage = r.usage, units = r.units, ended_at = r.endedat
FROM ${rows(STEP_END_COLUMNS)}
WHERE steps.job_id = r.jobid AND steps.key = r.key AND steps.outcome IS NULL AND steps.outcome_sha256 IS NULL`);

/** By the store's clock, asked here: who writes a beat need not have been told the time. */
const LATER = msAfter('kit_now()', 'r.leasems');

export const BEAT_JOBS = groupStatement(`
UPDATE jobs SET lease_until = ${LATER}, executed_ms = executed_ms + r.executedms
FROM ${rows(BEAT_COLUMNS)} WHERE jobs.id = r.jobid`);

/**
 * With what the last heartbeat adds: one new version of the row instead of two. When a run ended is
 * what retention goes by, so the clock of the store says it, whoever carried the run out.
 */
export const END_JOBS = groupStatement(`
UPDATE jobs SET status = r.status, reason = r.reason, error = r.error, output = r.output, usage = r.usage, diff_length = r.difflength,
  diffs_sha256 = r.diffssha256, figures = r.figures, lease_until = NULL, holder = NULL, wake_at = NULL, waiting_on = '[]', executed_ms = executed_ms + r.executedms,
  worker_id = CASE WHEN r.status = 'stopped' THEN NULL ELSE worker_id END,
  parked_at = CASE WHEN r.status = 'stopped' THEN kit_now() END,
  completed_at = CASE WHEN r.status <> 'stopped' THEN kit_now() END
FROM ${rows(JOB_END_COLUMNS)} WHERE jobs.id = r.jobid`);

/** In the order in which they were made. */
export const INSERT_PROMPTS = groupStatement(`
INSERT INTO prompts (${names(PROMPT_COLUMNS)})
SELECT ${names(PROMPT_COLUMNS)} FROM ${rows(PROMPT_COLUMNS)} ORDER BY r.place`);
