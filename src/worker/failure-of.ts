import { ERROR_REGISTRY } from '../domain/error-registry.js';
import { isKitError, messageOf } from '../domain/errors.js';
import type { RunOutcome } from '../engine/judge-run.js';
import { Unfinished } from '../engine/unfinished.js';
import type { RunJobResult } from './run-job-deps.js';
import { isStoreOutage } from './store-errors.js';

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

export type Lost = Extract<RunJobResult, { kind: 'lost' }>;

/**
 * A claim that ends with this error. An outage, or a lease that another process has, is nobody's
 * fault; with anything else the next claim would come to the same (a result that the store refuses
 * for itself), so it says `why`, and giving the run back counts: a third time ends it
 * (docs/design/journal.md#crashes). Chosen so because it needs no view of other runs: a give-back
 * that counts is itself a write that the store took.
 */
export function lostBy(error: unknown, mask: (text: string) => string = (text) => text): Lost {
  const isExcused =
    isStoreOutage(error) || error instanceof Unfinished || (isKitError(error) && error.code === 'KIT_LEASE_LOST');
  const message = mask(messageOf(error));
  return {
    kind: 'lost',
    ...(isExcused ? {} : { why: message }),
    ...troubleOf(error, message),
  };
}

/**
 * Whoever waits for the run is told which store it was, and the way on: that of the code, or one of
 * its own (the setting that names the store, a right that is missing). What a living server answers
 * to one statement has a way on only where it says so.
 */
function troubleOf(error: unknown, message: string): Pick<Lost, 'trouble'> {
  if (!isKitError(error)) return {};
  const { code, hint } = error;
  const own = hint === ERROR_REGISTRY[code].hint ? undefined : hint;
  const isShown = isStoreOutage(error) || code === 'KIT_STORE_CORRUPT' || (code === 'KIT_STORE_REFUSED' && own);
  return isShown ? { trouble: { code, message, ...(own === undefined ? {} : { hint: own }) } } : {};
}
