import { isKitError } from '../domain/errors.js';
import type { RunOutcome } from '../engine/judge-run.js';

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * For the log: a refusal of kit's own says what it is, and only of a bug one wants to know where it
 * was thrown.
 */
export const thrownText = (error: unknown): string =>
  isKitError(error)
    ? `${error.code}: ${error.message}`
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);

/**
 * A broken invariant or a divergence ends the run with a reason; it never leaves it running
 * (docs/design/decisions.md#errors).
 */
export function failureOf(error: unknown): Extract<RunOutcome, { kind: 'failed' | 'diverged' }> {
  const message = messageOf(error);
  if (isKitError(error) && error.code === 'KIT_JOURNAL_DIVERGED') return { kind: 'diverged', message };
  return { kind: 'failed', reason: isKitError(error) ? error.code : 'internal_error', message };
}
