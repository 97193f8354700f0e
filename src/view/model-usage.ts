import type { JsonObject } from '../domain/json.js';
import type { ModelUsage } from '../domain/ports/serving.js';

/** Calls of every model together. `costUsd` is null as soon as one price is unknown: a sum without it would look like the whole. */
export type UsageSummary = Omit<ModelUsage, 'model'>;

/** Sums what the models used. No call at all costs nothing. */
export const usageSummary = (models: readonly ModelUsage[]): UsageSummary => ({
  calls: sum(models, ({ calls }) => calls),
  inputTokens: sum(models, ({ inputTokens }) => inputTokens),
  outputTokens: sum(models, ({ outputTokens }) => outputTokens),
  cachedInputTokens: sum(models, ({ cachedInputTokens }) => cachedInputTokens),
  costUsd: models.some(({ costUsd }) => costUsd === null) ? null : sum(models, ({ costUsd }) => costUsd ?? 0),
});

/** The summary as every door shows it. */
export const toWireUsageSummary = (summary: UsageSummary): JsonObject => ({
  total_calls: summary.calls,
  total_input_tokens: summary.inputTokens,
  total_output_tokens: summary.outputTokens,
  total_cache_tokens: summary.cachedInputTokens,
  total_cost_usd: rounded(summary.costUsd),
});

/** One model as every door shows it. */
export const toWireModelUsage = (usage: ModelUsage): JsonObject => ({
  model: usage.model,
  calls: usage.calls,
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  cache_tokens: usage.cachedInputTokens,
  cost_usd: rounded(usage.costUsd),
});

const sum = (models: readonly ModelUsage[], value: (usage: ModelUsage) => number): number => models.reduce((total, usage) => total + value(usage), 0);

/** A millionth of a dollar (http-and-cli.md 1.8). */
const rounded = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * 1e6) / 1e6);
