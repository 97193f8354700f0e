import type { EventType, RunEvent } from '../domain/events.js';
import type { EventPayloads } from '../domain/generated/events.js';
import type { JsonObject } from '../domain/json.js';

/** An event before it has an id, a time and a step: what engine code writes down. */
export type NewEvent = {
  readonly [T in EventType]: {
    readonly type: T;
    readonly payload: EventPayloads[T];
    readonly agentId: string | null;
    readonly skillId: string | null;
  };
}[EventType];

export interface EventPlace {
  readonly eventId: string;
  readonly timestamp: string;
  readonly topologyId: string;
  readonly stepKey: string;
}

/**
 * Stamps a draft whose payload was masked. The cast joins a union member with its own fields again,
 * which the compiler cannot see through the parts.
 */
export function stampEvent({ type, agentId, skillId }: NewEvent, payload: JsonObject, place: EventPlace): RunEvent {
  const { eventId, timestamp, topologyId, stepKey } = place;
  return { type, payload, agentId, skillId, eventId, timestamp, topologyId, stepKey } as unknown as RunEvent;
}
