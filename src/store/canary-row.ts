import type { CanaryCounters, CanaryOverride, CanaryPromotion } from '../domain/ports/serving.js';
import { type RowOf, type RowParams, tableOf } from './columns.js';

/** The counters of one version as both dialects return them. */
export const COUNTERS_OF_VERSION = tableOf<CanaryCounters>('canary_counters', {
  version: 'plain',
  runs: 'plain',
  failed: 'plain',
  drift_sum: 'plain',
  drift_count: 'plain',
  window_start: 'plain',
});
export type CounterRecord = RowOf<CanaryCounters>;

/** A change of traffic as both dialects return it; JSON columns as text. */
export interface PromotionRecord {
  readonly n: number;
  readonly topology: string;
  readonly weights: string;
  readonly old_weights: string;
  readonly counters: string;
  readonly at: string;
  readonly changed_by: string;
  readonly reason: string;
}

/** The casts restore what `promotionParams` wrote and the table's check let in. */
export const decodeOverride = (row: PromotionRecord): CanaryOverride => ({
  weights: JSON.parse(row.weights) as CanaryOverride['weights'],
  at: row.at,
  by: row.changed_by,
  reason: row.reason as CanaryOverride['reason'],
});

export const decodePromotion = (row: PromotionRecord): CanaryPromotion => ({
  ...decodeOverride(row),
  topology: row.topology,
  oldWeights: JSON.parse(row.old_weights) as CanaryPromotion['oldWeights'],
  counters: JSON.parse(row.counters) as CanaryPromotion['counters'],
});

export const promotionParams = (routeKey: string, promotion: Omit<CanaryPromotion, 'at'>): RowParams => ({
  routeKey,
  topology: promotion.topology,
  weights: JSON.stringify(promotion.weights),
  oldWeights: JSON.stringify(promotion.oldWeights),
  counters: JSON.stringify(promotion.counters),
  by: promotion.by,
  reason: promotion.reason,
});

/**
 * When a change is said to be made: always later than the one before, because its time is its name
 * for the next comparison.
 */
export function overrideTime(now: string, newest: string | null): string {
  return newest !== null && newest >= now ? new Date(Date.parse(newest) + 1).toISOString() : now;
}

/**
 * What a result adds to the counters of its version. `oldest`: a window that began then or earlier
 * is over.
 */
export const resultParams = (
  routeKey: string,
  result: { readonly version: string; readonly failed: boolean; readonly drift: number | null },
  times: { readonly now: string; readonly oldest: string },
): RowParams => ({
  routeKey,
  version: result.version,
  failed: result.failed ? 1 : 0,
  driftSum: result.drift ?? 0,
  driftCount: result.drift === null ? 0 : 1,
  ...times,
});
