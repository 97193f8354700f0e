import type { EventType, RunEvent } from '../domain/events.js';
import type { EventPayloads } from '../domain/generated/events.js';
import type { Stores } from '../domain/ports/stores.js';
import type { Clock, Ids } from '../domain/ports/system.js';

/** What an entry point needs of the world to write a fact with its event. */
export interface EntryDeps {
  readonly stores: Stores;
  readonly ids: Ids;
  readonly clock: Clock;
}

/**
 * An event that no step causes: submit, resume, stop. It goes into the transaction of its fact
 * (docs/design/journal.md#entry-events).
 */
export function entryEvent<T extends EventType>(
  deps: { readonly ids: Pick<Ids, 'uuid'>; readonly clock: Clock },
  event: { readonly type: T; readonly topology: string; readonly payload: EventPayloads[T] },
): RunEvent {
  return {
    type: event.type,
    payload: event.payload,
    eventId: deps.ids.uuid(),
    timestamp: new Date(deps.clock.now()).toISOString(),
    topologyId: event.topology,
    agentId: null,
    skillId: null,
    stepKey: null,
    // The union is by type; T picks one member, which the compiler cannot follow through a generic
    // literal.
  } as unknown as RunEvent;
}
