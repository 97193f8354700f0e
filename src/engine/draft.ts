import type { EventType, RunEvent } from '../domain/events.js';
import type { EventPayloads } from '../domain/generated/events.js';

/** An event before it has an id, a time and a step: what engine code writes down. */
export type EventDraft = {
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

/** Stamps a draft. The cast joins a union member with its own fields again, which the compiler cannot see through the spread. */
export function stampEvent(draft: EventDraft, place: EventPlace): RunEvent {
  return { ...draft, ...place } as RunEvent;
}
