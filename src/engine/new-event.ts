import type { EventType } from '../domain/events.js';
import type { EventPayloads } from '../domain/generated/events.js';

/** An event before it has an id, a time and a step: what engine code writes down. */
export type NewEvent = {
  readonly [T in EventType]: {
    readonly type: T;
    readonly payload: EventPayloads[T];
    readonly agentId: string | null;
    readonly skillId: string | null;
  };
}[EventType];
