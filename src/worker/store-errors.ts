import type { ErrorCode } from '../domain/error-registry.js';
import { isKitError, isOfBytes, type KitError } from '../domain/errors.js';

/**
 * True for a store that nobody reaches now, or that is busy beyond patience: a socket that broke, a
 * server that starts, stops, is full or takes no writes, a lock that another transaction holds. It
 * says nothing about the run: the run is left, goes on from its journal when the store is back, and
 * nothing is counted. That is all there is to an outage: what a living server answers to one
 * statement is none (KIT_STORE_REFUSED), and what the store says of bytes that it keeps (they are
 * missing, or damaged) has no cause outside and is judged like any other error.
 */
export const isStoreOutage = (error: unknown): error is KitError =>
  isKitError(error) &&
  (ALWAYS.has(error.code) || (error.code === 'KIT_STORE_UNAVAILABLE' && error.cause !== undefined));

const ALWAYS: ReadonlySet<ErrorCode> = new Set([
  'KIT_STORE_BUSY',
  'KIT_STORE_FULL',
  'KIT_STORE_READ_ONLY',
  'KIT_STORE_GONE',
  'KIT_TOO_MANY_FILES',
]);

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['KIT_STORE_REFUSED', 'KIT_STORE_CORRUPT']);

/**
 * The store did not do its part, for whatever cause: nobody may record that as the failure of a
 * step or of the run.
 */
export const isStoreTrouble = (error: unknown): boolean =>
  isStoreOutage(error) || (isKitError(error) && REFUSALS.has(error.code) && !isOfBytes(error));
