import type { UsageKey } from '../../../domain/ports/usage.js';
import { RUN_OF } from './run-of.js';

/** What each way of summing puts together. */
const KEYS: Readonly<Record<UsageKey, string>> = {
  model: "coalesce(json_extract(payload, '$.served_by.model'), json_extract(payload, '$.model'))",
  topology: 'topology_id',
  day: 'substr(timestamp, 1, 10)',
};

/**
 * `priced`: calls whose cost is known, and those that failed before anything was answered, where
 * nothing is unknown. INDEXED BY: left to itself the planner reads the calls of every run for those
 * of one.
 */
const foldOf = (by: UsageKey): string => `
SELECT ${KEYS[by]} AS key, count(*) AS calls, sum(json_extract(payload, '$.input_tokens')) AS input_tokens,
  sum(json_extract(payload, '$.output_tokens')) AS output_tokens, sum(json_extract(payload, '$.cached_input_tokens')) AS cached_input_tokens,
  sum(json_extract(payload, '$.cost_usd')) AS cost_usd,
  sum(json_extract(payload, '$.cost_usd') IS NOT NULL
    OR (json_extract(payload, '$.status') = 'failed' AND json_extract(payload, '$.input_tokens') + json_extract(payload, '$.output_tokens') = 0)) AS priced
FROM events INDEXED BY`;

const IS_ASKED =
  '(@since IS NULL OR timestamp >= @since) AND (@until IS NULL OR timestamp <= @until) AND (@topology IS NULL OR topology_id = @topology)';

export const usageOfRun = (by: UsageKey): string =>
  `${foldOf(by)} events_by_run WHERE run = ${RUN_OF} AND type = 'model.called' AND ${IS_ASKED} GROUP BY 1`;

/**
 * What a cassette answered was paid for when it was recorded. Whoever asks for a replay alone is
 * told what was recorded.
 */
const IS_PAID =
  "NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.ord = events.run AND json_extract(jobs.needs, '$.cassette') IS NOT NULL)";

/** A range of the log, by the index of types. */
export const usageOfRange = (by: UsageKey): string =>
  `${foldOf(by)} events_by_type WHERE type = 'model.called' AND pos > @after AND pos <= @upTo AND ${IS_ASKED} AND ${IS_PAID} GROUP BY 1`;

/** Where the next range ends: so many calls on; null = the log holds fewer. */
export const CALLS_ON =
  "SELECT pos FROM events WHERE type = 'model.called' AND pos > @after ORDER BY pos LIMIT 1 OFFSET @calls";
