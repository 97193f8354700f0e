import type { UsageKey } from '../../../domain/ports/usage.js';
import { LIVE } from '../../sql/jobs.js';
import { ADDED_UP, IS_ASKED, IS_CUT, USED, USED_NAMES, usageOfCutDays, usageOfDays } from '../../sql/usage.js';
import { RUN_OF } from './run-of.js';

export { COUNTED_TO } from '../../sql/usage.js';

const USED_VALUES = USED.map((name) => `@${name}`).join(', ');

const modelIn = (payload: string): string =>
  `coalesce(json_extract(${payload}, '$.served_by.model'), json_extract(${payload}, '$.model'), '')`;
const MODEL = modelIn('payload');
const DAY = 'substr(timestamp, 1, 10)';
/** What each way of summing puts together. */
const KEYS: Readonly<Record<UsageKey, string>> = { model: MODEL, topology: 'topology_id', day: DAY };

const sum = (name: string): string => `coalesce(sum(json_extract(payload, '$.${name}')), 0) AS ${name}`;

/**
 * `priced`: calls whose cost is known, and those that failed before anything was answered, where
 * nothing is unknown.
 */
const SUMS = `count(*) AS calls,
  sum(json_extract(payload, '$.cost_usd') IS NOT NULL
    OR (json_extract(payload, '$.status') = 'failed' AND json_extract(payload, '$.input_tokens') + json_extract(payload, '$.output_tokens') = 0)) AS priced,
  ${['input_tokens', 'output_tokens', 'cached_input_tokens', 'cost_usd'].map(sum).join(', ')}`;

const foldOf = (by: UsageKey, calls: string): string =>
  `SELECT ${KEYS[by]} AS key, ${SUMS} FROM (${calls}) WHERE ${IS_ASKED} GROUP BY 1`;

/** INDEXED BY: left to itself the planner reads the calls of every run for those of one. */
const EVENTS = 'event_rows AS e INDEXED BY events_by_run';
const CALL = 'e.payload AS payload, e.topology_id AS topology_id, e.timestamp AS timestamp';

/** What runs have called that were claimed and have not ended, since they ended before. */
const LIVE_CALLS = `
SELECT ${CALL} FROM jobs AS j INDEXED BY jobs_by_status CROSS JOIN ${EVENTS} ON e.run = j.ord
WHERE j.status IN (${LIVE}) AND j.attempt > 0 AND json_extract(j.needs, '$.cassette') IS NULL
  AND e.seq > (SELECT coalesce(max(last_seq), 0) FROM usage_runs WHERE job_id = j.id) AND e.type = 'model.called'`;

const IS_CUT_DAY = 'day IN (SELECT value FROM json_each(@cut))';

/** The calls of the rows that a bound goes through. */
const CUT_CALLS = `
SELECT ${CALL} FROM (SELECT * FROM usage_runs WHERE ${IS_CUT_DAY} AND ${IS_CUT}) AS u
CROSS JOIN jobs AS j ON j.id = u.job_id CROSS JOIN ${EVENTS} ON e.run = j.ord AND e.seq BETWEEN u.first_seq AND u.last_seq
WHERE e.type = 'model.called' AND substr(e.timestamp, 1, 10) = u.day AND e.topology_id = u.topology_id
  AND ${modelIn('e.payload')} = u.model`;

/** One statement, so that a run which ends meanwhile is counted once. */
export const usage = (by: UsageKey): string =>
  [usageOfDays(by), usageOfCutDays(by, IS_CUT_DAY), foldOf(by, CUT_CALLS), foldOf(by, LIVE_CALLS)].join('\nUNION ALL ');

export const usageOfRun = (by: UsageKey): string =>
  foldOf(by, `SELECT ${CALL} FROM ${EVENTS} WHERE e.run = ${RUN_OF} AND e.type = 'model.called'`);

/** What a run has called since it was counted last. */
export const CALLS_OF_RUN = `
SELECT seq, timestamp, topology_id, payload FROM event_rows INDEXED BY events_by_run
WHERE run = @run AND seq > @after AND type = 'model.called' ORDER BY seq`;

/**
 * Calls of one day and model of a run. What a cassette answered was paid for when it was recorded:
 * only whoever asks for a replay alone is told of it.
 */
export const ADD_USED = `
INSERT INTO usage_runs (job_id, first_seq, last_seq, day, first_at, last_at, topology_id, model, ${USED_NAMES})
SELECT @jobId, @first_seq, @last_seq, @day, @first_at, @last_at, @topology_id, @model, ${USED_VALUES}
WHERE (SELECT json_extract(needs, '$.cassette') FROM jobs WHERE id = @jobId) IS NULL`;

/** The same for the totals of the day. */
export const ADD_TO_DAY = `
INSERT INTO usage_days (day, topology_id, model, ${USED_NAMES}) VALUES (@day, @topology_id, @model, ${USED_VALUES})
${ADDED_UP}`;
