import { EVENT_TYPES, type EventPayloads } from './generated/events.js';

export { EVENT_TYPES };

/**
 * Closed union of event types: one JSON Schema each in schemas/events/, from which `EventPayloads`
 * is generated.
 */
export type EventType = keyof EventPayloads;

/**
 * An event as the engine records it: already redacted, ids derived from job id and key
 * (docs/design/journal.md#derived-ids). It is *recorded* when its commit has returned; nothing
 * shows, sends or acts on it before.
 */
export type RunEvent = {
  readonly [T in EventType]: {
    /** UUID, unique; the log ignores a second write of the same id. */
    readonly eventId: string;
    readonly type: T;
    readonly timestamp: string;
    readonly topologyId: string;
    readonly agentId: string | null;
    readonly skillId: string | null;
    /**
     * Journal key of the step that caused the event; null for events outside a step (submit, stop,
     * decisions).
     */
    readonly stepKey: string | null;
    readonly payload: EventPayloads[T];
  };
}[EventType];

/** An event in the log: with its place in it. */
export type StoredEvent = RunEvent & {
  readonly jobId: string;
  /** Dense per run, from 1: views of one run use this alone. */
  readonly seq: number;
  /** Position in the whole log, in commit order. */
  readonly pos: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly correlationId: string | null;
  /** Digest of the run's previous event ('' for the first) and of this one: the chain. */
  readonly prevHash: string;
  readonly hash: string;
};

/** Whether it is a type of this version, for filters that people and clients write. */
export const isTypeName = (name: string): name is EventType => EVENT_TYPES.some((type) => type === name);
