import { ERROR_REGISTRY } from '../domain/error-registry.js';
import { isKitError } from '../domain/errors.js';
import { Unfinished } from '../engine/unfinished.js';
import { messageOf } from './failure-of.js';
import type { RunJobResult } from './run-job-deps.js';
import { isStoreOutage } from './store-errors.js';

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
  const isTold = isStoreOutage(error) || code === 'KIT_STORE_CORRUPT' || (code === 'KIT_STORE_REFUSED' && own);
  return isTold ? { trouble: { code, message, ...(own === undefined ? {} : { hint: own }) } } : {};
}
