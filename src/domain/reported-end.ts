import type { RunEvent, StoredEvent } from './events.js';
import type { RunEnd } from './journal.js';

/** What the log says of a run that came to its end, or was stopped. */
export type ReportedEnd = Pick<RunEnd, 'status' | 'reason' | 'error'>;

/** Where the event of an end stands. */
export interface EndPlace {
  readonly eventId: string;
  readonly timestamp: string;
  readonly topologyId: string;
}

/**
 * The event that goes with the end of a claim: `run.ended` for a run that is over, which comes
 * once, and `run.parked` with the status `stopped` for one that may go on.
 */
export function endEvent({ status, reason, error }: ReportedEnd, place: EndPlace): RunEvent {
  const about = { ...place, agentId: null, skillId: null, stepKey: null } as const;
  return status === 'stopped'
    ? { ...about, type: 'run.parked', payload: { waiting_on: [], error: error ?? '', status, reason } }
    : { ...about, type: 'run.ended', payload: { status, reason, error } };
}

/**
 * What an event reports of the end of its run; null for any other one. Versions before this one
 * reported a stop by `run.ended` as well.
 */
export function reportedEnd(event: RunEvent | StoredEvent): ReportedEnd | null {
  switch (event.type) {
    case 'run.ended':
      return event.payload;
    case 'run.parked': {
      const { status, reason, error } = event.payload;
      return status === undefined ? null : { status, reason: reason ?? null, error: error === '' ? null : error };
    }
    default:
      return null;
  }
}
