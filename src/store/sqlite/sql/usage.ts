import { RUN_OF } from './run-of.js';

/**
 * `priced`: calls whose cost is known, and those that failed before anything was answered, where
 * nothing is unknown. INDEXED BY: left to itself the planner reads the calls of every run for those
 * of one.
 */
const FOLD = `
SELECT coalesce(json_extract(payload, '$.served_by.model'), json_extract(payload, '$.model')) AS model, count(*) AS calls, sum(json_extract(payload, '$.input_tokens')) AS input_tokens,
  sum(json_extract(payload, '$.output_tokens')) AS output_tokens, sum(json_extract(payload, '$.cached_input_tokens')) AS cached_input_tokens,
  sum(json_extract(payload, '$.cost_usd')) AS cost_usd,
  sum(json_extract(payload, '$.cost_usd') IS NOT NULL
    OR (json_extract(payload, '$.status') = 'failed' AND json_extract(payload, '$.input_tokens') + json_extract(payload, '$.output_tokens') = 0)) AS priced
FROM events INDEXED BY`;

const IN_TIME = '(@since IS NULL OR timestamp >= @since) AND (@until IS NULL OR timestamp <= @until)';

export const USAGE_OF_RUN = `${FOLD} events_by_run WHERE run = ${RUN_OF} AND type = 'model.called' AND ${IN_TIME} GROUP BY 1`;

/**
 * What a cassette answered was paid for when it was recorded. Whoever asks for a replay alone is
 * told what was recorded.
 */
const IS_PAID =
  "NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.ord = events.run AND json_extract(jobs.needs, '$.cassette') IS NOT NULL)";

/** A range of the log, by the index of types. */
export const USAGE_OF_RANGE = `${FOLD} events_by_type WHERE type = 'model.called' AND pos > @after AND pos <= @upTo AND ${IN_TIME} AND ${IS_PAID} GROUP BY 1`;

/** Where the next range ends: so many calls on; null = the log holds fewer. */
export const CALLS_ON =
  "SELECT pos FROM events WHERE type = 'model.called' AND pos > @after ORDER BY pos LIMIT 1 OFFSET @calls";
