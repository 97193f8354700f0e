import { KitError } from '../domain/errors.js';
import type { RunEvent } from '../domain/events.js';
import type { RunEnd } from '../domain/journal.js';
import type { Ending } from './recovery.js';

export interface EndingPlace {
  readonly eventId: string;
  readonly timestamp: string;
  readonly topologyId: string;
}

/** The `run.ended` of a run that nobody executes any more: the store writes it with the status. */
export function endedEvent(end: Ending, place: EndingPlace): RunEvent {
  return {
    ...place,
    type: 'run.ended',
    agentId: null,
    skillId: null,
    stepKey: null,
    payload: { status: end.status, reason: end.reason, error: end.error },
  };
}

/**
 * A run's end is its status and its event, in one write: exactly one `run.ended` goes with the
 * change to a final status, and no other write may carry one. Throws KIT_INTERNAL: the caller is
 * wrong, and nothing of its batch is written.
 */
export function requireOneEnd(end: RunEnd, events: readonly RunEvent[]): RunEvent {
  const [only, ...more] = events.filter((event) => event.type === 'run.ended');
  if (only === undefined || more.length > 0)
    throw new KitError('KIT_INTERNAL', 'the end of a run is written with exactly one run.ended event');
  if (only.type === 'run.ended' && only.payload.status !== end.status) {
    throw new KitError('KIT_INTERNAL', `run.ended says ${only.payload.status}, the run ends ${end.status}`);
  }
  return only;
}

export function refuseEnd(events: readonly RunEvent[]): void {
  if (events.some((event) => event.type === 'run.ended'))
    throw new KitError('KIT_INTERNAL', 'a run.ended event goes with the end of its run and with nothing else');
}
