/** Statements about canary routes, the same text in both dialects; named parameters. */

export const COUNTERS = 'SELECT * FROM canary_counters WHERE route_key = @routeKey ORDER BY version';

/** Nothing changes for a run that was counted before. */
export const COUNT_ONCE =
  'INSERT INTO canary_results (route_key, job_id) VALUES (@routeKey, @jobId) ON CONFLICT (route_key, job_id) DO NOTHING';

/** A window that is over begins anew with this result. */
const counted = (column: string, value: string): string =>
  `${column} = CASE WHEN canary_counters.window_start <= @oldest THEN excluded.${column} ELSE canary_counters.${column} + ${value} END`;

export const ADD_RESULT = `
INSERT INTO canary_counters (route_key, version, runs, failed, drift_sum, drift_count, window_start)
VALUES (@routeKey, @version, 1, @failed, @driftSum, @driftCount, @now)
ON CONFLICT (route_key, version) DO UPDATE SET
  ${counted('runs', '1')},
  ${counted('failed', 'excluded.failed')},
  ${counted('drift_sum', 'excluded.drift_sum')},
  ${counted('drift_count', 'excluded.drift_count')},
  window_start = CASE WHEN canary_counters.window_start <= @oldest THEN excluded.window_start ELSE canary_counters.window_start END`;

export const NEWEST_OVERRIDE = 'SELECT * FROM canary_promotions WHERE route_key = @routeKey ORDER BY n DESC LIMIT 1';

/** The number is that of the change it follows, plus one: whoever comes second finds it taken. */
export const ADD_PROMOTION = `
INSERT INTO canary_promotions (route_key, n, topology, weights, old_weights, counters, at, changed_by, reason)
VALUES (@routeKey, @n, @topology, @weights, @oldWeights, @counters, @at, @by, @reason)
ON CONFLICT (route_key, n) DO NOTHING`;

export const PROMOTIONS = 'SELECT * FROM canary_promotions ORDER BY ord DESC LIMIT @limit';
export const PROMOTIONS_OF =
  'SELECT * FROM canary_promotions WHERE topology = @topology ORDER BY ord DESC LIMIT @limit';
