import type { ModelFailure } from '../domain/ports/model.js';
import { fractionOf } from './derive.js';

/**
 * Failures that pass (KIT_MODEL_RETRIES; docs/design/execution.md#model-retries). Authorisation,
 * spent accounts, bad requests and unfilled fields never do.
 */
const PASSING: ReadonlySet<ModelFailure['kind']> = new Set([
  'timeout',
  'rate_limited',
  'overloaded',
  'server',
  'network',
  'cut_stream',
  'malformed',
]);

export interface Retry {
  /** Retries so far. */
  readonly done: number;
  readonly max: number;
  /**
   * Longest wait that the other side may ask for: one model call's own bound (KIT_MODEL_TIMEOUT),
   * or what a run that waits for outages leaves to its timer.
   */
  readonly longestMs: number;
  readonly seed: string;
}

/**
 * Milliseconds to wait before the next attempt, or null to give up. 2^n seconds plus up to one
 * second of jitter that derives from the step, never below what the other side asked for; who asks
 * for more than `longestMs` is not waited for, because a run that waits holds its slot
 * (docs/design/journal.md#waiting).
 */
export function retryDelayMs(failure: ModelFailure, retry: Retry): number | null {
  if (!PASSING.has(failure.kind) || retry.done >= retry.max) return null;
  const askedMs = Number.isNaN(failure.retryAfterMs) ? 0 : (failure.retryAfterMs ?? 0);
  if (askedMs > retry.longestMs) return null;
  const backoffMs = 1000 * 2 ** retry.done + Math.floor(1000 * fractionOf(`${retry.seed}\n${retry.done}`));
  return Math.max(backoffMs, askedMs);
}
