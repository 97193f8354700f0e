import { type StatedPrice, statedPriceOf, type Usage } from '@kit-run/kit/plugin';
import type { MappedEvent, UsageReport } from './mapped-event.js';

/** Reports that count so far. Those without a key are already added up in `sum`. */
export interface UsageFold {
  readonly sum: UsageReport | null;
  readonly keyed: Readonly<Record<string, UsageReport>>;
}

export const NO_USAGE: UsageFold = { sum: null, keyed: {} };

/** Null: neither was reported. */
export const addNumbers = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : a + b;

function add(a: UsageReport | null, b: UsageReport): UsageReport {
  if (a === null) return b;
  return {
    inputTokens: addNumbers(a.inputTokens, b.inputTokens),
    outputTokens: addNumbers(a.outputTokens, b.outputTokens),
    cachedTokens: addNumbers(a.cachedTokens, b.cachedTokens),
    reasoningTokens: addNumbers(a.reasoningTokens, b.reasoningTokens),
    costUsd: addNumbers(a.costUsd, b.costUsd),
  };
}

/** Adds one report. */
export function foldUsage(fold: UsageFold, event: Extract<MappedEvent, { type: 'usage' }>): UsageFold {
  const { replaces } = event;
  const keyed =
    replaces === null ? fold.keyed : Object.fromEntries(Object.entries(fold.keyed).filter(([key]) => key !== replaces));
  if (event.key === null) return { sum: add(fold.sum, event.report), keyed };
  return { sum: fold.sum, keyed: { ...keyed, [event.key]: event.report } };
}

/**
 * A report of all processes of a session, as that of this one: less what those before it were
 * counted with.
 */
export function sinceEarlier(
  event: Extract<MappedEvent, { type: 'usage' }>,
  before: Usage | undefined,
): Extract<MappedEvent, { type: 'usage' }> {
  if (event.isSessionTotal !== true || before === undefined) return event;
  const { report } = event;
  const less = (total: number | null, counted: number | null): number | null =>
    total === null || counted === null ? total : Math.max(0, total - counted);
  return {
    ...event,
    report: {
      inputTokens: less(report.inputTokens, before.inputTokens),
      outputTokens: less(report.outputTokens, before.outputTokens),
      cachedTokens: less(report.cachedTokens, before.cachedInputTokens),
      reasoningTokens: less(report.reasoningTokens, before.reasoningTokens),
      costUsd: before.costUsd === null ? null : less(report.costUsd, before.costUsd),
    },
  };
}

/** What the tokens of a session cost here, whatever the harness says of it. */
export interface SessionPrices {
  readonly prices: readonly StatedPrice[];
  /** `executor.config.model`; empty = the harness chooses. */
  readonly model: string;
}

/** Null when the harness reported nothing; an unreported cost stays unknown, it is never 0. */
export function totalUsage(fold: UsageFold, { prices, model }: SessionPrices): Usage | null {
  const total = Object.values(fold.keyed).reduce(add, fold.sum);
  if (total === null) return null;
  const usage: Usage = {
    inputTokens: total.inputTokens ?? 0,
    outputTokens: total.outputTokens ?? 0,
    cachedInputTokens: total.cachedTokens ?? 0,
    reasoningTokens: total.reasoningTokens ?? 0,
    costUsd: total.costUsd,
  };
  // Who reports a cost and no tokens leaves nothing to price but what is free.
  const isBare = total.inputTokens === null && total.outputTokens === null;
  const stated = statedPriceOf(prices, model, isBare ? { ...usage, unreported: true } : usage);
  return { ...usage, costUsd: stated ?? usage.costUsd };
}
