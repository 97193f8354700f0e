import type { ModelFailure } from '../domain/ports/model.js';
import { fractionOf } from './derive.js';

/** Failures that pass: execution.md 2.2 (KIT_MODEL_RETRIES). Authorisation, bad requests and unfilled fields never do. */
const PASSING: ReadonlySet<ModelFailure['kind']> = new Set(['timeout', 'rate_limited', 'overloaded', 'server', 'network', 'cut_stream', 'malformed']);

/**
 * Milliseconds to wait before the next attempt, or null to give up. 2^n seconds plus up to one second of jitter that
 * derives from the step, never below what the other side asked for.
 */
export function retryDelayMs(failure: ModelFailure, retry: { readonly done: number; readonly max: number; readonly seed: string }): number | null {
  if (!PASSING.has(failure.kind) || retry.done >= retry.max) return null;
  const backoffMs = 1000 * 2 ** retry.done + Math.floor(1000 * fractionOf(`${retry.seed}\n${retry.done}`));
  return Math.max(backoffMs, failure.retryAfterMs ?? 0);
}
