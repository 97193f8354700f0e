import type { StoredEvent } from '../domain/events.js';
import type { JsonObject } from '../domain/json.js';
import type { LogEntry } from '../domain/log-entry.js';
import type { WireEvent } from './schemas/event.js';

/**
 * An event as the command line shows it with `--json`: with its place in its run; `cursor` where
 * the reader has one.
 */
export function toWireEvent(event: StoredEvent, cursor?: string): WireEvent & { readonly cursor?: string } {
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

/**
 * An event of the log as consumers outside kit see it: the one form of `GET /events` and of every
 * push.
 */
export const toLogEntry = (event: StoredEvent & { readonly cursor: string }): LogEntry => ({
  cursor: event.cursor,
  event_id: event.eventId,
  event_type: event.type,
  timestamp: event.timestamp,
  run_id: event.jobId,
  topology_id: event.topologyId,
  agent_id: event.agentId,
  skill_id: event.skillId,
  correlation_id: event.correlationId,
  payload: payloadOf(event),
  labels: event.labels,
});

/**
 * Payloads are JSON by their schemas; their generated types cannot say so (`unknown` members,
 * optional fields).
 */
export const payloadOf = (event: StoredEvent): JsonObject => ({ ...event.payload }) as unknown as JsonObject;
