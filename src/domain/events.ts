import type { EventPayloads } from './generated/events.js';

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

/**
 * Types that come with a later version. A filter may name them already, and nothing fits them yet.
 */
const LATER_TYPES: readonly string[] = [];

/** Whether a filter may name it: a type of this version, or one that comes later. */
export const isTypeName = (name: string): name is EventType =>
  EVENT_TYPES.some((type) => type === name) || LATER_TYPES.includes(name);

/**
 * Every type of the union, for what people type and read: filters and lists. A test compares it
 * with schemas/events/.
 */
export const EVENT_TYPES = [
  'run.started',
  'run.attachments',
  'run.stopped',
  'run.parked',
  'run.resumed',
  'run.ended',
  'input.validated',
  'input.rejected',
  'agent.started',
  'agent.completed',
  'model.called',
  'output.validated',
  'output.validation_failed',
  'policy.denied',
  'trust.denied',
  'trust.degraded',
  'trust.counted',
  'trust.changeset_proposed',
  'trust.applied',
  'trust.cleared',
  'intent.drift',
  'limit.breached',
  'skill.executed',
  'skill.gap',
  'tool.refused',
  'tool.progress',
  'memory.recalled',
  'memory.written',
  'executor.started',
  'executor.message',
  'executor.tool_call',
  'executor.permission',
  'executor.network',
  'a2a.remote_usage',
  'executor.result',
  'step.repeated',
  'step.in_doubt',
  'step.waiting',
  'step.admitted',
  'funnel.layer_evaluated',
  'funnel.gate_opened',
  'funnel.advisory_completed',
  'decision.evaluated',
  'approval.gate_opened',
  'approval.role_task_resolved',
  'approval.gate_resolved',
  'approval.changes_requested',
  'approval.reminder',
  'approval.expired',
  'rework',
  'hitl.requested',
  'hitl.resolved',
  'trigger.fired',
  'pipeline.ingress',
] as const satisfies readonly EventType[];
