import type { UsageKey } from '../../../domain/ports/usage.js';
import { LIVE, OVER } from '../../sql/jobs.js';
import { addToDays, IS_ASKED, IS_CUT, USED, USED_NAMES, usageOfCutDays, usageOfDays } from '../../sql/usage.js';

/**
 * What SQL cannot read: NUL and halves of characters, which an excerpt may hold. The escape stays
 * an escape, so the text stays JSON.
 */
const READABLE = String.raw`CASE WHEN position('\u' IN payload) = 0 THEN payload ELSE regexp_replace(payload, '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\ufffd', 'g') END`;
const field = (name: string): string => `(payload_json ->> '${name}')`;
const sum = (name: string): string =>
  `CAST(coalesce(sum(CAST(${field(name)} AS DOUBLE PRECISION)), 0) AS DOUBLE PRECISION) AS ${name}`;

/** A call that failed before anything was answered: nothing was used, and nothing is unknown. */
const UNANSWERED = `(${field('status')} = 'failed' AND ${field('input_tokens')} = '0' AND ${field('output_tokens')} = '0')`;

const MODEL = `coalesce(payload_json -> 'served_by' ->> 'model', ${field('model')}, '')`;
const DAY = 'substr(timestamp, 1, 10)';
/** What each way of summing puts together. */
const KEYS: Readonly<Record<UsageKey, string>> = { model: MODEL, topology: 'topology_id', day: DAY };

const SUMS = `CAST(count(*) AS DOUBLE PRECISION) AS calls,
  CAST(count(*) FILTER (WHERE ${field('cost_usd')} IS NOT NULL OR ${UNANSWERED}) AS DOUBLE PRECISION) AS priced,
  ${['input_tokens', 'output_tokens', 'cached_input_tokens', 'cost_usd'].map(sum).join(', ')}`;

/** OFFSET 0: left to itself the planner reads the text again for each field. */
const read = (calls: string): string =>
  `(SELECT *, CAST(${READABLE} AS JSONB) AS payload_json FROM (${calls}) AS texts OFFSET 0) AS calls`;

const foldOf = (by: UsageKey, calls: string): string =>
  `SELECT ${KEYS[by]} AS key, ${SUMS} FROM ${calls} WHERE ${IS_ASKED} GROUP BY 1`;

const CALL = 'e.payload, e.topology_id, e.timestamp';

/**
 * Calls of each job of the outer `j`. The type is compared as an expression, for no index to know
 * it: of a store that was never analysed the planner takes the calls of every run for fewer than
 * the events of one.
 */
const callsOf = (seqs: string): string => `
CROSS JOIN LATERAL (
  SELECT * FROM events WHERE events.job_id = j.id AND ${seqs} AND events.type || '' = 'model.called' OFFSET 0
) AS e`;
const SINCE_COUNTED = 'events.seq > (SELECT coalesce(max(last_seq), 0) FROM usage_runs WHERE usage_runs.job_id = j.id)';

/**
 * What a cassette answered was paid for when it was recorded. Whoever asks for a replay alone is
 * told what was recorded.
 */
const IS_PAID = "NOT jsonb_exists(CAST(j.needs AS JSONB), 'cassette')";

/** What runs have called that were claimed and have not ended, since they ended before. */
const LIVE_CALLS = `
SELECT ${CALL} FROM jobs AS j ${callsOf(SINCE_COUNTED)}
WHERE j.status IN (${LIVE}) AND j.attempt > 0 AND ${IS_PAID}`;

const IS_CUT_DAY = 'day = ANY(CAST(@cut AS TEXT[]))';

/** The calls of the rows that a bound goes through. */
const CUT_CALLS = `
SELECT ${CALL}, j.model AS counted_model FROM (SELECT *, job_id AS id FROM usage_runs WHERE ${IS_CUT_DAY} AND ${IS_CUT}) AS j
${callsOf('events.seq >= j.first_seq AND events.seq <= j.last_seq')}
WHERE substr(e.timestamp, 1, 10) = j.day AND e.topology_id = j.topology_id`;

/** One statement, so that a run which ends meanwhile is counted once. */
export const usage = (by: UsageKey): string =>
  [
    usageOfDays(by),
    usageOfCutDays(by, IS_CUT_DAY),
    foldOf(by, `(SELECT * FROM ${read(CUT_CALLS)} WHERE ${MODEL} = counted_model) AS cut`),
    foldOf(by, read(LIVE_CALLS)),
  ].join('\nUNION ALL ');

export const usageOfRun = (by: UsageKey): string =>
  foldOf(by, read(`SELECT ${CALL} FROM events AS e WHERE e.job_id = @jobId AND e.type || '' = 'model.called'`));

/** As `RunUsage` tells them, a list for each. */
export const USAGE_COLUMNS = [
  'job_id',
  'first_seq',
  'last_seq',
  'day',
  'first_at',
  'last_at',
  'topology_id',
  'model',
  ...USED,
] as const;
const TYPES: Readonly<Partial<Record<(typeof USAGE_COLUMNS)[number], string>>> = {
  ...Object.fromEntries(['first_seq', 'last_seq', 'calls', 'priced'].map((name) => [name, 'BIGINT'])),
  ...Object.fromEntries(
    ['input_tokens', 'output_tokens', 'cached_input_tokens', 'cost_usd'].map((name) => [name, 'DOUBLE PRECISION']),
  ),
};
const USAGE_NAMES = USAGE_COLUMNS.join(', ');

/**
 * What runs used that are over, as whoever followed their logs has counted it. OFFSET 0: left to
 * itself the planner begins with all runs that are over.
 */
export const ADD_USAGE = `
WITH counted AS (
  INSERT INTO usage_runs (${USAGE_NAMES})
  SELECT ${USAGE_COLUMNS.map((name) => `r.${name}`).join(', ')}
  FROM unnest(${USAGE_COLUMNS.map((name) => `CAST(@${name} AS ${TYPES[name] ?? 'TEXT'}[])`).join(', ')}) AS r (${USAGE_NAMES})
  CROSS JOIN LATERAL (SELECT status, needs FROM jobs WHERE jobs.id = r.job_id OFFSET 0) AS j
  WHERE j.status IN (${OVER}) AND ${IS_PAID}
  RETURNING *
)${addToDays('counted')}`;

/**
 * What the runs of a list that are over have called since they were counted last: a row of each for
 * a day and a model, and the totals of the days.
 */
export const COUNT_USAGE = `
WITH counted AS (
  INSERT INTO usage_runs (job_id, first_seq, last_seq, day, first_at, last_at, topology_id, model, ${USED_NAMES})
  SELECT job_id, min(seq), max(seq), ${DAY}, min(timestamp), max(timestamp), topology_id, ${MODEL}, ${SUMS}
  FROM ${read(`
    SELECT e.job_id, e.seq, ${CALL} FROM jobs AS j ${callsOf(SINCE_COUNTED)}
    WHERE j.id = ANY(CAST(@jobIds AS TEXT[])) AND j.status IN (${OVER}) AND ${IS_PAID}`)}
  GROUP BY job_id, ${DAY}, topology_id, ${MODEL}
  RETURNING *
)${addToDays('counted')}`;
