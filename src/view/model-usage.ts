import type { ModelUsage } from '../domain/ports/serving.js';

/**
 * Calls of every model together. `costUsd` is null as soon as one price is unknown: a sum without
 * it would look like the whole.
 */
export type UsageSummary = Omit<ModelUsage, 'model'>;

/** Sums what the models used. No call at all costs nothing. */
export const usageSummary = (models: readonly ModelUsage[]): UsageSummary => ({
  calls: sum(models, ({ calls }) => calls),
  inputTokens: sum(models, ({ inputTokens }) => inputTokens),
  outputTokens: sum(models, ({ outputTokens }) => outputTokens),
  cachedInputTokens: sum(models, ({ cachedInputTokens }) => cachedInputTokens),
  costUsd: models.some(({ costUsd }) => costUsd === null) ? null : sum(models, ({ costUsd }) => costUsd ?? 0),
});

const sum = (models: readonly ModelUsage[], value: (usage: ModelUsage) => number): number =>
  models.reduce((total, usage) => total + value(usage), 0);
