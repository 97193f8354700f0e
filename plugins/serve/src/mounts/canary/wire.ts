import type { CanaryReport } from '@kit-run/kit/command';

const DIGITS = 4;
const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(DIGITS)));

/** The report in the words of the wire; rates have four decimals (docs/canary.md). */
export function reportOf({ routes, promotions }: CanaryReport): object {
  return {
    enabled: routes.length > 0,
    routes: routes.map(({ topology, isOverridden, versions }) => ({
      topology,
      override: isOverridden,
      versions: versions.map(({ version, weight, runs, failed, errorRate, meanDrift, windowStart, promoteWhen }) => ({
        version,
        weight,
        metrics: {
          total_runs: runs,
          failed_runs: failed,
          error_rate: rounded(errorRate),
          avg_drift: rounded(meanDrift),
          window_start: windowStart,
        },
        promote_when:
          promoteWhen === null
            ? null
            : { window_minutes: promoteWhen.windowMs / 60_000, conditions: promoteWhen.conditions },
      })),
    })),
    promotions: promotions.map(({ topology, weights, oldWeights, reason, by, at, counters }) => ({
      topology,
      weights,
      old_weights: oldWeights,
      reason,
      by,
      timestamp: at,
      metrics: counters.map(({ version, runs, failed, windowStart }) => ({
        version,
        total_runs: runs,
        failed_runs: failed,
        window_start: windowStart,
      })),
    })),
  };
}
