import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../src/domain/events.js';
import { agentTree } from '../../src/view/agent-tree.js';
import { reduceRun } from '../../src/view/reduce-run.js';
import { EMPTY_RUN, type RunView } from '../../src/view/run-view.js';
import { toWireEvent } from '../../src/view/schemas/event.js';
import { costOf } from '../../src/view/usage-view.js';
import { issuesOf } from '../../src/view/warnings.js';
import {
  type AnySketch,
  agentCompleted,
  agentStarted,
  executorResult,
  MEMORY_SKETCH,
  modelCalled,
  RUN_SKETCH,
  runStarted,
  skillExecuted,
  storedEvents,
} from '../support/stored-events.js';

const fold = (events: readonly StoredEvent[], from: RunView = EMPTY_RUN): RunView => events.reduce(reduceRun, from);
const viewAfter = (count: number): RunView => fold(storedEvents(RUN_SKETCH).slice(0, count));
const TESTER = 'root/d0/t0/c0:tester';
const READER = 'root/d0/t0/c1:reader';

/** Any order of any events: the fold must cope with what a broken or newer engine writes. */
const anySketch: fc.Arbitrary<AnySketch> = fc.oneof(
  fc.constantFrom(...RUN_SKETCH, ...MEMORY_SKETCH),
  fc.record({
    type: fc.constant('model.called' as const),
    agentId: fc.constantFrom('lead', 'constructor', null),
    stepKey: fc.constantFrom('root/d0/t1', 'elsewhere', '__proto__', null),
    payload: fc.record({ model: fc.constantFrom('m1', 'toString'), cost_usd: fc.option(fc.nat(5)) }).map(modelCalled),
  }),
  fc.constantFrom<AnySketch>(
    { type: 'run.resumed', payload: { requested_by: 'ann', from_status: 'stopped' } },
    { type: 'run.stopped', payload: { requested_by: 'ann', at: '2030-01-01T00:00:00.000Z' } },
    {
      type: 'policy.denied',
      agentId: 'lead',
      stepKey: 'root',
      payload: { action: 'agent:execute', reason: 'no', needs: [] },
    },
    { type: 'agent.started', agentId: 'constructor', stepKey: '__proto__', payload: agentStarted('__proto__', null) },
    { type: 'agent.completed', agentId: 'lead', stepKey: 'nowhere', payload: agentCompleted('nowhere') },
  ),
);

describe('reduceRun', () => {
  it('knows when a run last went on, and keeps when it began', () => {
    const events = storedEvents([
      { type: 'run.started', payload: runStarted },
      { type: 'run.resumed', payload: { requested_by: 'ann', from_status: 'stopped' } },
      { type: 'run.resumed', payload: { requested_by: 'ann', from_status: 'stopped' } },
    ]);

    expect(fold(events.slice(0, 1))).toMatchObject({ startedAt: events[0]?.timestamp, resumedAt: null });
    expect(fold(events)).toMatchObject({ startedAt: events[0]?.timestamp, resumedAt: events[2]?.timestamp });
  });

  it('gives the same view however the stream is cut and delivered again', () => {
    fc.assert(
      fc.property(
        fc.array(anySketch, { maxLength: 40 }),
        fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 6 }),
        (sketches, cuts) => {
          const events = storedEvents(sketches);
          const whole = fold(events);
          let view = EMPTY_RUN;
          for (const [end, back] of [...cuts.sort((a, b) => a[0] - b[0]), [events.length, 40] as const]) {
            const from = Math.max(0, view.lastSeq - back);
            view = fold(events.slice(from, Math.max(from, end)), view);
          }
          expect(view).toEqual(whole);
          expect(fold(events, whole)).toBe(whole);
        },
      ),
    );
  });

  it('is plain JSON: a view that was stored and read again goes on the same way', () => {
    const events = storedEvents(RUN_SKETCH);
    const half: RunView = JSON.parse(JSON.stringify(fold(events.slice(0, 8))));
    expect(fold(events.slice(8), half)).toEqual(fold(events));
  });

  it('does not change the view it was given', () => {
    const events = storedEvents(RUN_SKETCH);
    const frozen = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      Object.freeze(value);
      for (const member of Object.values(value)) frozen(member);
    };
    let view = EMPTY_RUN;
    for (const event of events) {
      frozen(view);
      view = reduceRun(view, event);
    }
    expect(view.status).toBe('completed');
  });

  it('takes status, reason and error of the run from its events', () => {
    expect(viewAfter(1)).toMatchObject({
      status: 'pending',
      topology: 'demo',
      submittedBy: 'ann',
      jobId: '0123456789ab',
    });
    expect(viewAfter(2).status).toBe('running');
    expect(viewAfter(RUN_SKETCH.length)).toMatchObject({
      status: 'completed',
      reason: null,
      endedAt: '2030-01-02T03:04:20.000Z',
    });
    const failed = fold(
      storedEvents([
        { type: 'run.started', payload: runStarted },
        { type: 'run.ended', payload: { status: 'failed', reason: 'timeout', error: 'took 300 s' } },
      ]),
    );
    expect(failed).toMatchObject({ status: 'failed', reason: 'timeout', error: 'took 300 s' });
  });

  it('builds the tree of agents by activation', () => {
    expect(
      agentTree(viewAfter(RUN_SKETCH.length)).map(({ agent, depth, isLastChild }) => [
        agent.agentId,
        depth,
        isLastChild,
      ]),
    ).toEqual([
      ['lead', 0, true],
      ['tester', 1, false],
      ['reader', 1, true],
    ]);
  });

  it('keeps two activations of one agent apart', () => {
    const view = fold(
      storedEvents([
        { type: 'agent.started', agentId: 'lead', stepKey: 'root', payload: agentStarted('root', null) },
        ...['root/d0/t0/c0:w', 'root/d0/t1/c0:w'].flatMap((key): readonly AnySketch[] => [
          { type: 'agent.started', agentId: 'w', stepKey: key, payload: agentStarted(key, 'root') },
          { type: 'model.called', agentId: 'w', stepKey: `${key}/d0/t0`, payload: modelCalled() },
        ]),
      ]),
    );
    expect(view.order).toHaveLength(3);
    expect(view.agents['root/d0/t1/c0:w']?.usage.inputTokens).toBe(100);
    expect(view.usageByAgent.w?.inputTokens).toBe(200);
  });

  it('says what an agent is at, from start to end', () => {
    const at = (count: number, key: string) => viewAfter(count).agents[key]?.current;
    expect(at(2, 'root')).toEqual({ kind: 'thinking', label: '' });
    expect(at(3, 'root')).toEqual({ kind: 'tools', label: '' });
    expect(at(4, 'root')).toEqual({ kind: 'delegating', label: 'tester' });
    expect(at(6, TESTER)).toEqual({ kind: 'harness', label: 'test-runner' });
    expect(at(10, READER)).toEqual({ kind: 'tools', label: 'read-file' });
    expect(at(13, 'root')).toEqual({ kind: 'delegating', label: 'reader' });
    expect(at(14, 'root')).toEqual({ kind: 'thinking', label: '' });
    expect(at(15, 'root')).toBeNull();
    expect(viewAfter(15).agents[READER]).toMatchObject({
      status: 'failed',
      reason: 'provider.timeout',
      durationMs: 2_000,
    });
  });

  it('keeps an unknown cost apart from a known one, in every total', () => {
    const view = viewAfter(RUN_SKETCH.length);
    expect(view.usage).toMatchObject({ inputTokens: 200, outputTokens: 40, knownCostUsd: 0.25, unknownCosts: 1 });
    expect(costOf(view.usage)).toBeNull();
    expect(Object.keys(view.usageByModel)).toEqual(['mock/m1', 'mock/m2', 'harness:test-runner']);
    expect(view.usageByAgent.lead && costOf(view.usageByAgent.lead)).toBe(0.25);
    expect(view.usageByAgent.reader && costOf(view.usageByAgent.reader)).toBeNull();
  });

  it('takes a call that failed without an answer for no use at all', () => {
    const failed = modelCalled({
      status: 'failed',
      reason: 'timeout',
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: null,
    });
    const view = fold(storedEvents([{ type: 'model.called', agentId: 'lead', stepKey: 'root/t0', payload: failed }]));
    expect(costOf(view.usage)).toBe(0);
    expect(view.calls.model).toBe(1);
  });

  it('counts calls and keeps the last five of each agent', () => {
    const calls = Array.from(
      { length: 7 },
      (_, index): AnySketch => ({
        type: 'skill.executed',
        agentId: 'lead',
        stepKey: 'root/x',
        payload: skillExecuted({ tool: `t${index}`, status: index === 6 ? 'denied' : 'ok' }),
      }),
    );
    const view = fold(
      storedEvents([
        { type: 'agent.started', agentId: 'lead', stepKey: 'root', payload: agentStarted('root', null) },
        ...calls,
      ]),
    );
    expect(view.agents.root?.recentCalls.map((call) => call.tool)).toEqual(['t2', 't3', 't4', 't5', 't6']);
    expect(view.calls).toEqual({ model: 0, tools: 7, failed: 0, denied: 1 });
  });

  it('collects what somebody should look at', () => {
    const view = fold(
      storedEvents([
        {
          type: 'step.repeated',
          agentId: 'lead',
          stepKey: 'root/h',
          payload: { key: 'root/h', kind: 'harness', step_id: 's', effects: 'write', attempt: 2, lost: 'its worktree' },
        },
        {
          type: 'policy.denied',
          agentId: 'lead',
          stepKey: 'root',
          payload: { action: 'agent:execute', reason: 'not today', needs: ['a:b'] },
        },
        {
          type: 'limit.breached',
          stepKey: 'root',
          payload: { limit: 'max_cost_per_run_usd', limit_value: 1, actual: null },
        },
        {
          type: 'executor.result',
          agentId: 'tester',
          payload: executorResult({
            status: 'failure',
            reason: 'exit_code',
            exit_metadata: { returncode: 3, signal: null, stderr_tail: 'boom' },
          }),
        },
      ]),
    );
    expect(view.warnings.map((warning) => warning.kind)).toEqual(['step.repeated', 'policy.denied', 'limit.breached']);
    expect([view.order, view.calls.denied, issuesOf(view)]).toEqual([[], 0, 1]);
    expect(view.warnings[0]?.text).toContain('lost: its worktree');
    expect(view.executors).toMatchObject([{ agentId: 'tester', status: 'failure', exitCode: 3, stderrTail: 'boom' }]);
  });
});

describe('toWireEvent', () => {
  it('spells an event as the interface does', () => {
    const [event] = storedEvents(RUN_SKETCH);
    expect(event && toWireEvent(event, 'c1')).toEqual({
      cursor: 'c1',
      event_id: '00000000-0000-4000-8000-000000000001',
      event_type: 'run.started',
      run_id: '0123456789ab',
      seq: 1,
      timestamp: '2030-01-02T03:04:05.000Z',
      topology_id: 'demo',
      agent_id: null,
      skill_id: null,
      step_key: null,
      correlation_id: null,
      labels: {},
      payload: runStarted,
    });
  });
});
