import type { Job } from '@kit-run/kit/command';
import type { Json, JsonObject } from '@kit-run/kit/plugin';

/** States of a task as 0.3 spells them (docs/a2a.md#tasks). */
export type TaskState = 'submitted' | 'working' | 'input-required' | 'completed' | 'failed' | 'canceled';

/** A task in the words of neither version. */
export interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  /** What came of a completed run; null: nothing yet. */
  readonly output: Output | null;
  readonly metadata: JsonObject;
}

export interface TaskStatus {
  readonly state: TaskState;
  /** ISO 8601 UTC. */
  readonly timestamp: string;
  /** What the agent says of it, for people; null: nothing. */
  readonly text: string | null;
}

/** `value`: a structured output as it was made. */
export type Output = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'data'; readonly value: Json };

const STATES: Readonly<Record<Job['status'], TaskState>> = {
  pending: 'submitted',
  queued: 'submitted',
  running: 'working',
  deferred: 'input-required',
  completed: 'completed',
  failed: 'failed',
  stopped: 'canceled',
};

export const stateOf = (status: Job['status']): TaskState => STATES[status];

/** A run that waits for people of another agent waits for people. */
const stateAt = (status: Job['status'], gateUrl: string | null): TaskState =>
  status === 'running' && gateUrl !== null ? 'input-required' : stateOf(status);

/** Nothing more comes of it by itself. */
export const isOver = (state: TaskState): boolean => ['completed', 'failed', 'canceled'].includes(state);

/** The label under which a run keeps the context that its caller named. */
export const CONTEXT_LABEL = 'a2a.context_id';

export const contextIdOf = ({ labels, correlationId, id }: Job): string => labels[CONTEXT_LABEL] ?? correlationId ?? id;

function outputOf({ status, output }: Job): Output | null {
  if (status !== 'completed') return null;
  const text = output ?? '';
  if (!/^\s*[[{]/.test(text)) return { kind: 'text', text };
  try {
    return { kind: 'data', value: JSON.parse(text) as Json };
  } catch {
    return { kind: 'text', text };
  }
}

function textOf({ status, error }: Job, gateUrl: string | null): string | null {
  if (stateAt(status, gateUrl) === 'input-required' && gateUrl !== null)
    return `The run waits for people, and goes on when they have decided: ${gateUrl}`;
  switch (status) {
    case 'deferred':
      return `The run waits: ${error ?? 'it goes on when it is resumed'}.`;
    case 'failed':
      return error ?? 'The run failed.';
    case 'pending':
    case 'queued':
    case 'running':
    case 'completed':
    case 'stopped':
      return null;
  }
}

/**
 * What a run used; null: nobody knows. One that did not complete and counted nothing may have had a
 * call cut off, whose cost nobody counted.
 */
function usageOf({ usage, status }: Job): JsonObject | null {
  if (usage === null) return null;
  const { inputTokens, outputTokens, costUsd } = usage;
  const isNothing = inputTokens === 0 && outputTokens === 0 && costUsd === 0;
  if (isNothing && status !== 'completed') return null;
  return { input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: costUsd };
}

/** A job as a task. `gateUrl`: where people decide what it waits for. */
export function taskOf(
  job: Job,
  { gateUrl, stopRequested = false }: { gateUrl: string | null; stopRequested?: boolean },
): Task {
  const state = stateAt(job.status, gateUrl);
  const over = isOver(state)
    ? { run_id: job.id, usage: usageOf(job), observability: { events: true, audit: true } }
    : {};
  return {
    id: job.id,
    contextId: contextIdOf(job),
    status: {
      state,
      timestamp: job.completedAt ?? job.parkedAt ?? job.startedAt ?? job.createdAt,
      text: textOf(job, gateUrl),
    },
    output: outputOf(job),
    metadata: {
      swarmkit: {
        topology: job.topology,
        job_status: job.status,
        ...(gateUrl === null ? {} : { gate_url: gateUrl }),
        ...(stopRequested ? { stop_requested: true } : {}),
        ...over,
      },
    },
  };
}
