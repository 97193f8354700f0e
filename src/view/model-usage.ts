import type { UsageKey, UsageShare } from '../domain/ports/usage.js';

/** Calls of models with what they were summed by. */
export interface UsageReport {
  readonly summary: UsageSummary;
  readonly by: UsageKey;
  /** Most expensive first; days in their order. Costs are rounded to a millionth of a dollar. */
  readonly shares: readonly UsageShare[];
}

/**
 * Calls of every model together. `costUsd` is null as soon as one price is unknown: a sum without
 * it would look like the whole.
 */
export type UsageSummary = Omit<UsageShare, 'key'>;

/** Sums what was used. No call at all costs nothing. */
export const usageSummary = (shares: readonly UsageShare[]): UsageSummary => ({
  calls: sum(shares, ({ calls }) => calls),
  inputTokens: sum(shares, ({ inputTokens }) => inputTokens),
  outputTokens: sum(shares, ({ outputTokens }) => outputTokens),
  cachedInputTokens: sum(shares, ({ cachedInputTokens }) => cachedInputTokens),
  costUsd: shares.some(({ costUsd }) => costUsd === null)
    ? null
    : toMillionth(sum(shares, ({ costUsd }) => costUsd ?? 0)),
});

export const usageReport = (by: UsageKey, shares: readonly UsageShare[]): UsageReport => ({
  summary: usageSummary(shares),
  by,
  shares: shares.map((share) => ({ ...share, costUsd: share.costUsd === null ? null : toMillionth(share.costUsd) })),
});

const sum = (shares: readonly UsageShare[], value: (usage: UsageShare) => number): number =>
  shares.reduce((total, usage) => total + value(usage), 0);

const toMillionth = (usd: number): number => Math.round(usd * 1e6) / 1e6;
