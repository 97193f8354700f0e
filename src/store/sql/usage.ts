import type { UsageKey } from '../../domain/ports/usage.js';

/**
 * Statements about usage, the same text in both dialects but for lists; named parameters. A call of
 * a model is in one place only: in the tables once its run has ended, before that in the log.
 */

/** What both tables count. */
export const USED = ['calls', 'priced', 'input_tokens', 'output_tokens', 'cached_input_tokens', 'cost_usd'] as const;
export const USED_NAMES = USED.join(', ');

/** What each way of summing puts together, by the columns of both tables. */
const KEYS: Readonly<Record<UsageKey, string>> = { model: 'model', topology: 'topology_id', day: 'day' };
const SUMS = USED.map((name) => `CAST(sum(${name}) AS DOUBLE PRECISION) AS ${name}`).join(', ');

const IS_OF = '(CAST(@topology AS TEXT) IS NULL OR topology_id = @topology)';
/** Of a call in the log. */
export const IS_ASKED = `(CAST(@since AS TEXT) IS NULL OR timestamp >= @since) AND (CAST(@until AS TEXT) IS NULL OR timestamp <= @until) AND ${IS_OF}`;

const IS_WITHIN =
  '(CAST(@since AS TEXT) IS NULL OR first_at >= @since) AND (CAST(@until AS TEXT) IS NULL OR last_at <= @until)';
/** Of a row of a run that a bound goes through: its calls are read in the log. */
export const IS_CUT = `NOT (${IS_WITHIN}) AND (CAST(@since AS TEXT) IS NULL OR last_at >= @since) AND (CAST(@until AS TEXT) IS NULL OR first_at <= @until)`;

/** Days that no bound goes through. */
export const usageOfDays = (by: UsageKey): string =>
  `SELECT ${KEYS[by]} AS key, ${SUMS} FROM usage_days WHERE day >= @from AND day < @before AND ${IS_OF} GROUP BY 1`;

/** Of the days that a bound goes through, what lies on its right side. */
export const usageOfCutDays = (by: UsageKey, isCutDay: string): string =>
  `SELECT ${KEYS[by]} AS key, ${SUMS} FROM usage_runs WHERE ${isCutDay} AND ${IS_WITHIN} AND ${IS_OF} GROUP BY 1`;

/** Where the counting of a run got to: what it calls when it goes on is added at its next end. */
export const COUNTED_TO = 'SELECT coalesce(max(last_seq), 0) AS seq FROM usage_runs WHERE job_id = @jobId';

/** Where a day has its totals already. */
export const ADDED_UP = `ON CONFLICT (day, topology_id, model) DO UPDATE SET ${USED.map((name) => `${name} = usage_days.${name} + excluded.${name}`).join(', ')}`;

/** Adds rows of runs to the totals of their days. */
export const addToDays = (rows: string): string => `
INSERT INTO usage_days (day, topology_id, model, ${USED_NAMES})
SELECT day, topology_id, model, ${USED.map((name) => `sum(${name})`).join(', ')} FROM ${rows} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
${ADDED_UP}`;
