import type { Usage } from '../domain/job.js';
import type { Json } from '../domain/json.js';
import type { ExecutorOutcome, ExecutorResult } from '../domain/ports/executor.js';
import { isToldCount, isToldUsd } from '../domain/told-numbers.js';

const STATUSES: readonly unknown[] = [
  'success',
  'failure',
  'budget_exceeded',
  'cancelled',
  'needs_approval',
  'stalled',
];

/**
 * What an executor hands back is data from outside. An unknown status is a failure, what is missing
 * is null, and a usage whose numbers are no counts is unknown: it can make nothing succeed and no
 * sum wrong.
 */
export function readExecutorResult(value: ExecutorResult): ExecutorResult {
  const given: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {};
  const isKnown = STATUSES.includes(given.status);
  return {
    status: isKnown ? value.status : 'failure',
    reason: isKnown ? textOr(given.reason, null) : 'unknown_status',
    message: isKnown ? textOr(given.message, '') : 'the executor handed back no known status',
    // Anything that JSON cannot hold becomes null when the result is stored.
    output: (given.output ?? null) as Json,
    usage: isUsage(given.usage) ? given.usage : null,
    exitCode: Number.isInteger(given.exitCode) ? Number(given.exitCode) : null,
    signal: textOr(given.signal, null),
    stderrTail: textOr(given.stderrTail, ''),
    ...outcomeOf(given.outcome),
  };
}

/** True for an executor that told a usage, and one that no session can have. */
export const hasWrongUsage = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'usage' in value && value.usage != null && !isUsage(value.usage);

const MAX_OUTCOME_TEXT = 200;

function outcomeOf(value: unknown): { readonly outcome?: ExecutorOutcome } {
  if (typeof value !== 'object' || value === null) return {};
  const { passed, text }: { passed?: unknown; text?: unknown } = value;
  if (typeof passed !== 'boolean' || typeof text !== 'string') return {};
  return { outcome: { passed, text: text.slice(0, MAX_OUTCOME_TEXT) } };
}

/** What a session came to whose executor threw instead of answering. */
export const threwResult = (error: unknown): ExecutorResult => ({
  status: 'failure',
  reason: 'executor_threw',
  message: error instanceof Error ? error.message : String(error),
  output: null,
  usage: null,
  exitCode: null,
  signal: null,
  stderrTail: '',
});

function textOr<T>(value: unknown, other: T): string | T {
  return typeof value === 'string' ? value : other;
}

function isUsage(value: unknown): value is Usage {
  if (typeof value !== 'object' || value === null || !('costUsd' in value)) return false;
  const { costUsd, ...counts } = value;
  const names = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'reasoningTokens'];
  const given: Readonly<Record<string, unknown>> = counts;
  return names.every((name) => isToldCount(given[name])) && (costUsd === null || isToldUsd(costUsd));
}
