import type { UsageKey } from '../../../domain/ports/usage.js';

/**
 * What SQL cannot read: NUL and halves of characters, which an excerpt may hold. The escape stays
 * an escape, so the text stays JSON.
 */
const READABLE = String.raw`CASE WHEN position('\u' IN payload) = 0 THEN payload ELSE regexp_replace(payload, '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\ufffd', 'g') END`;
const field = (name: string): string => `(payload_json ->> '${name}')`;
const sum = (name: string): string =>
  `CAST(sum(CAST(${field(name)} AS DOUBLE PRECISION)) AS DOUBLE PRECISION) AS ${name}`;

const IS_ASKED =
  '(CAST(@since AS TEXT) IS NULL OR timestamp >= @since) AND (CAST(@until AS TEXT) IS NULL OR timestamp <= @until) AND (CAST(@topology AS TEXT) IS NULL OR topology_id = @topology)';

/** A call that failed before anything was answered: nothing was used, and nothing is unknown. */
const UNANSWERED = `(${field('status')} = 'failed' AND ${field('input_tokens')} = '0' AND ${field('output_tokens')} = '0')`;

/** What each way of summing puts together. */
const KEYS: Readonly<Record<UsageKey, string>> = {
  model: `coalesce(payload_json -> 'served_by' ->> 'model', ${field('model')})`,
  topology: 'topology_id',
  day: 'substr(timestamp, 1, 10)',
};

/** OFFSET 0: left to itself the planner reads the text again for each field. */
const foldOf = (by: UsageKey, calls: string): string => `
SELECT ${KEYS[by]} AS key, count(*) AS calls, ${sum('input_tokens')}, ${sum('output_tokens')}, ${sum('cached_input_tokens')}, ${sum('cost_usd')},
  count(*) FILTER (WHERE ${field('cost_usd')} IS NOT NULL OR ${UNANSWERED}) AS priced
FROM (SELECT CAST(${READABLE} AS JSONB) AS payload_json, topology_id, timestamp FROM events WHERE ${calls} AND type = 'model.called' AND ${IS_ASKED} OFFSET 0) AS calls
GROUP BY 1`;

export const usageOfRun = (by: UsageKey): string => foldOf(by, 'job_id = @jobId');

/**
 * What a cassette answered was paid for when it was recorded. Whoever asks for a replay alone is
 * told what was recorded.
 */
export const usage = (by: UsageKey): string =>
  foldOf(
    by,
    "NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = events.job_id AND jsonb_exists(CAST(jobs.needs AS JSONB), 'cassette'))",
  );
