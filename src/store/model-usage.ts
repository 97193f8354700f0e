import type { ModelUsage, ServingStore } from '../domain/ports/serving.js';
import { instant } from './instant.js';

/** Calls of one model in a part of the log, folded by SQL. */
export interface UsageRow {
  readonly model: string;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens: number;
  /** Of the calls whose price is known. */
  readonly cost_usd: number | null;
  /** Calls whose price is known, and those that failed before anything was answered. */
  readonly priced: number;
}

/** Both ends of the time that is asked about, as the statements take them; null = open. */
export const boundsOf = ({
  since,
  until,
}: Parameters<ServingStore['usage']>[0]): { readonly since: string | null; readonly until: string | null } => ({
  since: since === undefined ? null : instant(since),
  until: until === undefined ? null : instant(until),
});

/**
 * Joins parts of the log; the most expensive first, then by name. A model whose cost is unknown may
 * be the most expensive: it comes first.
 */
export function foldUsage(rows: readonly UsageRow[]): readonly ModelUsage[] {
  const models = new Map<string, ModelUsage>();
  for (const row of rows) models.set(row.model, added(models.get(row.model), row));
  return [...models.values()].sort((a, b) => costOf(b) - costOf(a) || (a.model < b.model ? -1 : 1));
}

const costOf = ({ costUsd }: ModelUsage): number => costUsd ?? Number.MAX_VALUE;

function added(before: ModelUsage | undefined, row: UsageRow): ModelUsage {
  const cost = row.priced < row.calls ? null : (row.cost_usd ?? 0);
  const { calls = 0, inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, costUsd = 0 } = before ?? {};
  return {
    model: row.model,
    calls: calls + row.calls,
    inputTokens: inputTokens + row.input_tokens,
    outputTokens: outputTokens + row.output_tokens,
    cachedInputTokens: cachedInputTokens + row.cached_input_tokens,
    costUsd: costUsd === null || cost === null ? null : costUsd + cost,
  };
}
