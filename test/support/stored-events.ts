import type { EventType, StoredEvent } from '../../src/domain/events.js';
import type { EventPayloads } from '../../src/domain/generated/events.js';

export interface EventSketch<T extends EventType = EventType> {
  readonly type: T;
  readonly payload: EventPayloads[T];
  readonly agentId?: string | null;
  readonly stepKey?: string | null;
}

/** A sketch whose type and payload belong together, of any type. */
export type AnySketch = { readonly [T in EventType]: EventSketch<T> }[EventType];

/** Stored events with sequence numbers from 1, one second apart, as the log would hold them. */
export function storedEvents(sketches: readonly AnySketch[], jobId = '0123456789ab'): readonly StoredEvent[] {
  return sketches.map((sketch, index) => {
    const event = {
      eventId: `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
      type: sketch.type,
      timestamp: new Date(Date.UTC(2030, 0, 2, 3, 4, 5) + index * 1_000).toISOString(),
      topologyId: 'demo',
      agentId: sketch.agentId ?? null,
      skillId: null,
      stepKey: sketch.stepKey ?? null,
      payload: sketch.payload,
      jobId,
      seq: index + 1,
      pos: index + 100,
      labels: {},
      correlationId: null,
      prevHash: '',
      hash: '',
    };
    return event as StoredEvent;
  });
}

export const modelCalled = (part: Partial<EventPayloads['model.called']> = {}): EventPayloads['model.called'] => ({
  provider: 'mock',
  model: 'm1',
  purpose: 'turn',
  status: 'ok',
  reason: null,
  tool_calls: 0,
  retries: 0,
  input_tokens: 100,
  output_tokens: 20,
  cached_input_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: 0.25,
  duration_ms: 1_500,
  ...part,
});

export const executorResult = (
  part: Partial<EventPayloads['executor.result']> = {},
): EventPayloads['executor.result'] => ({
  kind: 'harness',
  ref: 'test-runner',
  status: 'success',
  reason: null,
  cost_usd: 0,
  diff_bytes: 0,
  exit_metadata: { returncode: 0, signal: null, stderr_tail: '' },
  duration_ms: 4_200,
  input_tokens: 0,
  output_tokens: 0,
  ...part,
});

export const agentStarted = (
  activation: string,
  parent: string | null,
  executor = 'model',
): EventPayloads['agent.started'] => ({
  role: parent === null ? 'root' : 'worker',
  executor,
  parent_key: parent,
  activation,
});

export const agentCompleted = (
  activation: string,
  part: Partial<EventPayloads['agent.completed']> = {},
): EventPayloads['agent.completed'] => ({
  role: 'worker',
  activation,
  status: 'ok',
  reason: null,
  result_length: 10,
  duration_ms: 2_000,
  ...part,
});

export const skillExecuted = (
  part: Partial<EventPayloads['skill.executed']> = {},
): EventPayloads['skill.executed'] => ({
  tool: 'read-file',
  status: 'ok',
  reason: null,
  policy_decision: 'allow',
  policy_reason: null,
  effects: 'read',
  duration_ms: 30,
  ...part,
});

export const runStarted: EventPayloads['run.started'] = {
  trigger_source: 'cli',
  topology: 'demo',
  version: '1.0.0',
  input_sha256: 'x',
  submitted_by: 'ann',
  assurance: 'asserted',
};

/** A whole run: a root that asks two children side by side, one of them a harness. */
export const RUN_SKETCH: readonly AnySketch[] = [
  { type: 'run.started', payload: runStarted },
  { type: 'agent.started', agentId: 'lead', stepKey: 'root', payload: agentStarted('root', null) },
  { type: 'model.called', agentId: 'lead', stepKey: 'root/d0/t0', payload: modelCalled({ tool_calls: 2 }) },
  {
    type: 'agent.started',
    agentId: 'tester',
    stepKey: 'root/d0/t0/c0:tester',
    payload: agentStarted('root/d0/t0/c0:tester', 'root', 'harness:test-runner'),
  },
  {
    type: 'agent.started',
    agentId: 'reader',
    stepKey: 'root/d0/t0/c1:reader',
    payload: agentStarted('root/d0/t0/c1:reader', 'root'),
  },
  {
    type: 'executor.started',
    agentId: 'tester',
    stepKey: 'root/d0/t0/c0:tester/h',
    payload: {
      kind: 'harness',
      ref: 'test-runner',
      sandbox: 'worktree',
      base_commit: 'abc',
      not_included: [],
      resumed: false,
      lost: null,
    },
  },
  {
    type: 'executor.tool_call',
    agentId: 'tester',
    stepKey: 'root/d0/t0/c0:tester/h',
    payload: { tool: 'node --test', summary: 'adds numbers', status: 'ok' },
  },
  {
    type: 'executor.message',
    agentId: 'tester',
    stepKey: 'root/d0/t0/c0:tester/h',
    payload: { role: 'assistant', text: 'two tests' },
  },
  {
    type: 'model.called',
    agentId: 'reader',
    stepKey: 'root/d0/t0/c1:reader/d0/t0',
    payload: modelCalled({ model: 'm2', tool_calls: 2, cost_usd: null }),
  },
  {
    type: 'skill.executed',
    agentId: 'reader',
    stepKey: 'root/d0/t0/c1:reader/d0/t0/c0:read-file',
    payload: skillExecuted(),
  },
  {
    type: 'skill.gap',
    agentId: 'reader',
    stepKey: 'root/d0/t0/c1:reader/d0/t0/c1:fly',
    payload: { tool: 'fly', available: ['read-file'] },
  },
  { type: 'executor.result', agentId: 'tester', stepKey: 'root/d0/t0/c0:tester/h', payload: executorResult() },
  {
    type: 'agent.completed',
    agentId: 'tester',
    stepKey: 'root/d0/t0/c0:tester',
    payload: agentCompleted('root/d0/t0/c0:tester'),
  },
  {
    type: 'agent.completed',
    agentId: 'reader',
    stepKey: 'root/d0/t0/c1:reader',
    payload: agentCompleted('root/d0/t0/c1:reader', { status: 'failed', reason: 'provider.timeout' }),
  },
  {
    type: 'agent.completed',
    agentId: 'lead',
    stepKey: 'root',
    payload: agentCompleted('root', { role: 'root', duration_ms: 9_000 }),
  },
  { type: 'run.ended', payload: { status: 'completed', reason: null, error: null } },
];

/** What memory adds to a run. */
export const MEMORY_SKETCH: readonly AnySketch[] = [
  {
    type: 'memory.recalled',
    agentId: 'reader',
    stepKey: 'root/d0/t0/c1:reader/d0/m',
    payload: { activation: 'root/d0/t0/c1:reader', keys: ['billing/currency'] },
  },
  {
    type: 'memory.written',
    agentId: null,
    stepKey: 'memory/w',
    payload: { op: 'new', key: 'billing/currency', origin: 'automatic', source: 'reader', confidence: 0.5 },
  },
];
