import type { StoredEvent } from '../domain/events.js';
import { fieldsOf, maybeTextAt, numberAt, textAt, textMapAt } from '../lib/read-json.js';

/**
 * A whole event out of what `toWireEvent` makes: what every view of a run folds. Its place in the
 * log and its chain stay with the server.
 */
export function fromWireEvent(value: unknown): StoredEvent {
  const event = fieldsOf(value);
  return {
    eventId: textAt(event, 'event_id'),
    // Reducers leave alone what they do not know: a type of a version to come.
    type: textAt(event, 'event_type'),
    jobId: textAt(event, 'run_id'),
    seq: numberAt(event, 'seq'),
    timestamp: textAt(event, 'timestamp'),
    topologyId: textAt(event, 'topology_id'),
    agentId: maybeTextAt(event, 'agent_id'),
    skillId: maybeTextAt(event, 'skill_id'),
    stepKey: maybeTextAt(event, 'step_key'),
    correlationId: maybeTextAt(event, 'correlation_id'),
    labels: textMapAt(event, 'labels'),
    payload: fieldsOf(event.payload),
    pos: 0,
    prevHash: '',
    hash: '',
  } as unknown as StoredEvent; // the payload has the schema of its type: the server wrote it
}
