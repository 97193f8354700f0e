import type { StoredEvent } from '../domain/events.js';
import type { JsonObject } from '../domain/json.js';

/** An event as it leaves kit: `--json`, `GET /events`, sinks (interface.md, Events). snake_case; `cursor` where the reader has one. */
export function toWireEvent(event: StoredEvent, cursor?: string): JsonObject {
  return {
    ...(cursor === undefined ? {} : { cursor }),
    event_id: event.eventId,
    event_type: event.type,
    run_id: event.jobId,
    seq: event.seq,
    timestamp: event.timestamp,
    topology_id: event.topologyId,
    agent_id: event.agentId,
    skill_id: event.skillId,
    step_key: event.stepKey,
    correlation_id: event.correlationId,
    labels: event.labels,
    payload: payloadOf(event),
  };
}

/** Payloads are JSON by their schemas; their generated types cannot say so (`unknown` members, optional fields). */
const payloadOf = (event: StoredEvent): JsonObject => ({ ...event.payload }) as unknown as JsonObject;
