import type { StoredEvent } from '../domain/events.js';
import type { Usage } from '../domain/job.js';
import type { RunUsage } from '../domain/run-figures.js';

/**
 * Tokens and cost as views show them. Known cost and what is unknown are kept apart: an unknown
 * cost is never 0.
 */
export interface UsageView extends RunUsage {
  /** What caches of providers took off the cost, in USD, where that is known; absent: nothing. */
  readonly savedUsd?: number;
  /** True where part of it is an estimate; absent: none is. */
  readonly estimated?: true;
}

export const NO_USAGE: UsageView = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  knownCostUsd: 0,
  unknownCosts: 0,
};

export interface UsageReport extends Omit<Usage, 'estimated'> {
  readonly estimated?: true | undefined;
  readonly savedUsd?: number | undefined;
}

export function addUsage(sum: UsageView, report: UsageReport): UsageView {
  const savedUsd = (sum.savedUsd ?? 0) + (report.savedUsd ?? 0);
  return {
    inputTokens: sum.inputTokens + report.inputTokens,
    outputTokens: sum.outputTokens + report.outputTokens,
    cachedInputTokens: sum.cachedInputTokens + report.cachedInputTokens,
    reasoningTokens: sum.reasoningTokens + report.reasoningTokens,
    knownCostUsd: sum.knownCostUsd + (report.costUsd ?? 0),
    unknownCosts: sum.unknownCosts + (report.costUsd === null ? 1 : 0),
    ...(savedUsd === 0 ? {} : { savedUsd }),
    ...(sum.estimated === true || report.estimated === true ? { estimated: true } : {}),
  };
}

/** USD, or null as soon as one part of it is unknown. */
export function costOf(usage: UsageView): number | null {
  return usage.unknownCosts > 0 ? null : usage.knownCostUsd;
}

/**
 * Only where a server says what the call cost, or another run was asked for; told under its name
 * beside the models.
 */
export function toolUsage(event: StoredEvent): { readonly report: UsageReport; readonly server: string } | null {
  if (event.type !== 'skill.executed' || event.payload.cost_usd === undefined) return null;
  const {
    cost_usd: costUsd,
    server,
    tool,
    input_tokens = 0,
    output_tokens = 0,
    cached_input_tokens = 0,
    reasoning_tokens = 0,
  } = event.payload;
  const report = {
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    cachedInputTokens: cached_input_tokens,
    reasoningTokens: reasoning_tokens,
    costUsd,
  };
  return { report, server: `tool:${server ?? tool}` };
}

/** The skill of the call that chooses what is remembered (docs/memory.md). */
const MEMORY_WRITER = 'memory-writer';

/** What such a call adds to what is known of it; nothing for any other. */
export const memoryUsage = (
  known: { readonly memoryUsage?: UsageView },
  event: { readonly skillId: string | null },
  report: UsageReport,
): { readonly memoryUsage?: UsageView } =>
  event.skillId === MEMORY_WRITER ? { memoryUsage: addUsage(known.memoryUsage ?? NO_USAGE, report) } : {};

/** A model that was asked, and the one that answered in its place; absent: it did so itself. */
interface Served {
  readonly provider: string;
  readonly model: string;
  readonly served_by?: { readonly provider: string; readonly model: string };
}

const servedName = (called: Served): string =>
  `${(called.served_by ?? called).provider}/${(called.served_by ?? called).model}`;

/** Whose tokens they are: those of a fallback are its own; and with the one that was asked for. */
export const served = {
  name: servedName,
  inPlace: (called: Served): string =>
    called.served_by === undefined
      ? servedName(called)
      : `${servedName(called)} for ${called.provider}/${called.model}`,
};
