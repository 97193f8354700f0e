import { KitError } from '../domain/errors.js';
import type { RunEvent } from '../domain/events.js';
import type { RunEnd } from '../domain/journal.js';
import { reportedEnd } from '../domain/reported-end.js';

/**
 * A run's end is its status and its event, in one write: exactly one event that tells it goes with
 * the change of status, and no other write may carry one. Throws KIT_INTERNAL: the caller is wrong,
 * and nothing of its batch is written.
 */
export function requireOneEnd(end: RunEnd, events: readonly RunEvent[]): RunEvent {
  const [only, ...more] = events.filter((event) => reportedEnd(event) !== null);
  if (only === undefined || more.length > 0)
    throw new KitError('KIT_INTERNAL', 'the end of a run is written with exactly one event that tells it');
  const reported = reportedEnd(only)?.status;
  if (reported !== end.status)
    throw new KitError('KIT_INTERNAL', `${only.type} says ${reported}, the run ends ${end.status}`);
  return only;
}

export function refuseEnd(events: readonly RunEvent[]): void {
  const found = events.find((event) => reportedEnd(event) !== null);
  if (found !== undefined)
    throw new KitError('KIT_INTERNAL', `a ${found.type} event that tells an end goes with it and with nothing else`);
}
