import { describe, expect, it } from 'vitest';
import { describe as describeSpan } from '../../../plugins/telemetry/src/spans/attributes.js';
import type { EventPayloads } from '../../../src/domain/generated/events.js';
import type { RunSpan } from '../../../src/domain/ports/run-trace.js';
import { spanIdFrom, traceIdFrom } from '../../../src/lib/trace-context.js';
import type { ClaimRow } from '../../../src/view/telemetry/run-drafts.js';
import { runTraceParent, type TracedJob } from '../../../src/view/telemetry/run-trace.js';
import {
  type AnySketch,
  agentCompleted,
  agentStarted,
  executorResult,
  modelCalled,
  RUN_SKETCH,
  runStarted,
  skillExecuted,
  storedEvents,
} from '../../support/stored-events.js';
import { faultsOf, pathsOf } from '../../support/telemetry/span-tree.js';
import { type WholeTrace, wholeTrace } from '../../support/telemetry/whole-trace.js';
import { jobOf } from '../../support/view-samples.js';

const RUN = '0123456789ab';
const at = (second: number): string => new Date(Date.UTC(2030, 0, 2, 3, 4, 5) + second * 1000).toISOString();
const traceOf = async (
  sketches: readonly AnySketch[],
  over: Partial<TracedJob & ClaimRow> = {},
): Promise<WholeTrace> => {
  const trace = await wholeTrace(
    { ...jobOf({ startedAt: at(0), claimedAt: at(0), workerId: 'w:1' }), isCurrent: true, ...over },
    storedEvents(sketches),
  );
  if (trace === null) throw new Error('no trace');
  return trace;
};
const NOTHING = async function* () {};
const named = (trace: WholeTrace) =>
  trace.spans.map((span) => ({ ...span, name: describeSpan(span, { ...trace, parts: NOTHING }).name }));
const ofType = <T extends RunSpan['of']['type']>(trace: WholeTrace, type: T) =>
  trace.spans.filter(
    (span): span is RunSpan & { readonly of: Extract<RunSpan['of'], { type: T }> } => span.of.type === type,
  );

const ask = (type: 'approval.gate_opened', round: number): AnySketch => ({
  type,
  agentId: 'lead',
  stepKey: `root/g${round}`,
  payload: {
    gate_id: `${RUN}:lead`,
    round,
    artifact_ref: 'a',
    sha256: 'b',
    policy_digest: 'c',
    role_tasks: [],
    author: { identity: 'ann', assurance: 'asserted' },
  } as unknown as EventPayloads['approval.gate_opened'],
});
const parked: AnySketch = { type: 'run.parked', payload: { waiting_on: [`${RUN}:lead`], error: 'waits' } };
const resumed: AnySketch = { type: 'run.resumed', payload: { requested_by: 'qa', from_status: 'deferred' } };
const resolved: AnySketch = {
  type: 'approval.gate_resolved',
  agentId: 'lead',
  payload: {
    gate_id: `${RUN}:lead`,
    round: 1,
    status: 'approved',
    approvers: ['qa'],
    by: 'qa',
    comment: '',
    resumed: true,
  },
};
const ended: AnySketch = { type: 'run.ended', payload: { status: 'completed', reason: null, error: null } };

/** A run that waits for people once. */
const GATED: readonly AnySketch[] = [
  { type: 'run.started', payload: runStarted },
  { type: 'agent.started', agentId: 'lead', stepKey: 'root', payload: agentStarted('root', null) },
  { type: 'model.called', agentId: 'lead', stepKey: 'root/d0/t0', payload: modelCalled() },
  ask('approval.gate_opened', 1),
  parked,
  resolved,
  resumed,
  { type: 'model.called', agentId: 'lead', stepKey: 'root/d1/t0', payload: modelCalled() },
  { type: 'agent.completed', agentId: 'lead', stepKey: 'root', payload: agentCompleted('root', { duration_ms: 7000 }) },
  ended,
];

describe('the trace of a run', () => {
  it('hangs every span below one root, within the time of its parent', async () => {
    const spans = named(await traceOf(RUN_SKETCH));

    expect(faultsOf(spans)).toEqual([]);
    expect(pathsOf(spans)).toEqual([
      'run.submit demo',
      'run.submit demo > run.queue',
      'run.submit demo > topology.run',
      'run.submit demo > topology.run > agent.step.lead',
      'run.submit demo > topology.run > agent.step.lead > agent.step.reader',
      'run.submit demo > topology.run > agent.step.lead > agent.step.reader > chat m2',
      'run.submit demo > topology.run > agent.step.lead > agent.step.reader > tool.call.fly',
      'run.submit demo > topology.run > agent.step.lead > agent.step.reader > tool.call.read-file',
      'run.submit demo > topology.run > agent.step.lead > agent.step.tester',
      'run.submit demo > topology.run > agent.step.lead > agent.step.tester > executor.run.harness:test-runner',
      'run.submit demo > topology.run > agent.step.lead > agent.step.tester > executor.run.harness:test-runner > tool.call.node --test',
      'run.submit demo > topology.run > agent.step.lead > chat m1',
      'run.submit demo > topology.run > run.attempt',
    ]);
  });

  it('says the same whoever asks, under ids that derive from the run and its keys', async () => {
    const [first, second] = [await traceOf(RUN_SKETCH), await traceOf(RUN_SKETCH)];

    expect(second).toEqual(first);
    expect(first.traceId).toBe(traceIdFrom(RUN));
    expect(ofType(first, 'session')[0]?.spanId).toBe(spanIdFrom(RUN, 'root/d0/t0/c0:tester/h'));
    expect((await traceOf(RUN_SKETCH, { id: 'ba9876543210' })).spans.map(({ spanId }) => spanId)).not.toContain(
      first.spans[0]?.spanId,
    );
  });

  it('hangs below the span of whoever submitted it, and is recorded when that is', async () => {
    const given = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
    const trace = await traceOf(RUN_SKETCH, { traceParent: given });

    expect(trace).toMatchObject({ traceId: '0af7651916cd43dd8448eb211c80319c', hasParent: true, isSampled: false });
    expect(faultsOf(named(trace), 'b7ad6b7169203331')).toEqual([]);
    expect(runTraceParent({ id: RUN, traceParent: given })).toBe(
      `00-0af7651916cd43dd8448eb211c80319c-${spanIdFrom(RUN, 'run')}-00`,
    );
  });

  it('tells of a failure by its reason', async () => {
    const trace = await traceOf(RUN_SKETCH);

    expect(ofType(trace, 'agent').map(({ of, error }) => [of.agentId, error])).toEqual([
      ['lead', null],
      ['tester', null],
      ['reader', 'provider.timeout'],
    ]);
  });

  it('tells each span once over a park of any length, and the whole fits together', async () => {
    const claim = { startedAt: at(0), claimedAt: at(7), attempt: 2 };
    const before = await traceOf(GATED.slice(0, 5), { claimedAt: at(0), attempt: 1, workerId: null });
    const after = await traceOf(GATED, claim);

    expect(pathsOf(named(before))).toEqual(['chat m1', 'run.attempt', 'run.queue']);
    expect(before.end).toBeNull();
    const all = [...named(before), ...named(after)];
    expect(faultsOf(all)).toEqual([]);
    expect(pathsOf(all)).toEqual([
      'run.submit demo',
      'run.submit demo > run.queue',
      'run.submit demo > topology.run',
      'run.submit demo > topology.run > agent.step.lead',
      'run.submit demo > topology.run > agent.step.lead > chat m1',
      'run.submit demo > topology.run > agent.step.lead > chat m1',
      'run.submit demo > topology.run > agent.step.lead > gate.wait',
      'run.submit demo > topology.run > run.attempt',
      'run.submit demo > topology.run > run.attempt',
      'run.submit demo > topology.run > run.queue',
    ]);
    expect(ofType(after, 'wait')).toMatchObject([
      {
        startMs: Date.parse(at(3)),
        endMs: Date.parse(at(5)),
        of: { kind: 'gate', round: 1, outcome: 'approved', agentId: 'lead' },
      },
    ]);
    expect(ofType(after, 'attempt')).toMatchObject([{ startMs: Date.parse(at(7)), of: { attempt: 2 } }]);
  });

  it('tells no span again of a run that parks again and again', async () => {
    const round = (n: number): readonly AnySketch[] => [
      { type: 'model.called', agentId: 'lead', stepKey: `root/d${n}/t0`, payload: modelCalled() },
      ask('approval.gate_opened', n),
      parked,
      { ...resolved, payload: { ...resolved.payload, round: n } },
      resumed,
    ];
    const rounds = [1, 2, 3, 4].map(round);
    const upTo = (n: number) => [...GATED.slice(0, 2), ...rounds.slice(0, n).flat()];
    const traces = await Promise.all([1, 2, 3, 4].map((n) => traceOf(upTo(n).slice(0, -2), { attempt: n })));
    const whole = await traceOf([...upTo(4), ...GATED.slice(8)], { attempt: 5 });

    const spans = [...traces, whole].flatMap(named);
    expect(faultsOf(spans)).toEqual([]);
    expect(traces.map((trace) => ofType(trace, 'model').length)).toEqual([1, 1, 1, 1]);
    expect(ofType(whole, 'model')).toEqual([]);
    expect(traces.map((trace) => ofType(trace, 'wait').map(({ of }) => of.round))).toEqual([[], [1], [2], [3]]);
  });

  it('tells each round of a gate', async () => {
    const changes: AnySketch = {
      type: 'approval.changes_requested',
      agentId: 'lead',
      payload: { gate_id: `${RUN}:lead`, stage: 'lead', artifact_ref: 'a', round: 1, comment: 'no', by: 'qa' },
    };
    const sketches = [...GATED.slice(0, 5), changes, resumed, ask('approval.gate_opened', 2), parked];

    expect(ofType(await traceOf(sketches), 'wait').map(({ of }) => [of.round, of.outcome])).toEqual([
      [1, 'changes-requested'],
    ]);
    expect(
      ofType(
        await traceOf([...sketches, { ...ended, payload: { status: 'failed', reason: 'timeout', error: 'x' } }]),
        'wait',
      ).map(({ of }) => [of.round, of.outcome]),
    ).toEqual([[2, 'withdrawn']]);
  });

  it('tells of a claim that was lost, of the one that took over, and of the session that went with the first', async () => {
    const started: AnySketch = {
      type: 'executor.started',
      agentId: 'lead',
      stepKey: 'root/h',
      payload: {
        kind: 'harness',
        ref: 'codex',
        sandbox: 'worktree',
        base_commit: null,
        not_included: [],
        resumed: false,
        lost: null,
      },
    };
    const call: AnySketch = {
      type: 'executor.tool_call',
      agentId: 'lead',
      stepKey: 'root/h',
      payload: { tool: 'ls', summary: '', status: 'ok' },
    };
    const trace = await traceOf(
      [
        { type: 'run.started', payload: runStarted },
        {
          type: 'agent.started',
          agentId: 'lead',
          stepKey: 'root',
          payload: agentStarted('root', null, 'harness:codex'),
        },
        started,
        call,
        {
          type: 'step.repeated',
          agentId: 'lead',
          stepKey: 'root/h',
          payload: { key: 'root/h', kind: 'harness', step_id: 's', effects: 'write', attempt: 2, lost: null },
        },
        started,
        call,
        {
          type: 'executor.result',
          agentId: 'lead',
          stepKey: 'root/h',
          payload: executorResult({ ref: 'codex', duration_ms: 1500 }),
        },
        { type: 'agent.completed', agentId: 'lead', stepKey: 'root', payload: agentCompleted('root') },
        ended,
      ],
      { claimedAt: at(4), attempt: 2, workerId: 'w:2' },
    );

    expect(faultsOf(named(trace))).toEqual([]);
    expect(ofType(trace, 'attempt').map(({ of, error }) => [of.attempt, of.workerId, error])).toEqual([
      [1, null, 'lease_lost'],
      [2, 'w:2', null],
    ]);
    const sessions = ofType(trace, 'session');
    expect(sessions.map(({ spanId, of, error }) => [spanId, of.status, error])).toEqual(
      expect.arrayContaining([
        [spanIdFrom(RUN, 'root/h'), 'lost', 'lease_lost'],
        [spanIdFrom(RUN, 'root/h~2'), 'ok', null],
      ]),
    );
    expect(ofType(trace, 'tool').map(({ parentSpanId }) => parentSpanId)).toEqual([
      spanIdFrom(RUN, 'root/h'),
      spanIdFrom(RUN, 'root/h~2'),
    ]);
  });

  it('tells with the next segment what a process that died could tell nobody', async () => {
    const died: AnySketch = {
      type: 'run.ended',
      payload: { status: 'stopped', reason: 'process_died', error: 'its process died' },
    };
    const again: AnySketch = { type: 'run.resumed', payload: { requested_by: 'ann', from_status: 'stopped' } };
    const trace = await traceOf([...GATED.slice(0, 3), died, again, ...GATED.slice(7)], {
      claimedAt: at(4),
      attempt: 2,
    });

    expect(faultsOf(named(trace))).toEqual([]);
    expect(ofType(trace, 'model')).toHaveLength(2);
    expect(ofType(trace, 'attempt').map(({ of }) => of.attempt)).toEqual([1, 2]);
  });

  it('says nothing of a claim that the row no longer tells of', async () => {
    const trace = await traceOf(GATED.slice(0, 5), {
      claimedAt: at(9000),
      attempt: 7,
      workerId: 'w:7',
      isCurrent: false,
    });

    expect(ofType(trace, 'attempt')).toMatchObject([
      { startMs: Date.parse(at(0)), endMs: Date.parse(at(4)), of: { attempt: 1, workerId: null } },
    ]);
  });

  it('hangs a model that a tool called below the tool, and below its agent where the tool never tells of itself', async () => {
    const inner: AnySketch = {
      type: 'model.called',
      agentId: 'lead',
      stepKey: 'root/d0/t0/c0:ask/t0',
      payload: modelCalled({ model: 'inner' }),
    };
    const tool: AnySketch = {
      type: 'skill.executed',
      agentId: 'lead',
      stepKey: 'root/d0/t0/c0:ask',
      payload: skillExecuted({ tool: 'ask', duration_ms: 300 }),
    };
    const pathsWith = async (...sketches: readonly AnySketch[]) => {
      const spans = named(await traceOf([...GATED.slice(0, 3), ...sketches, ended]));
      expect(faultsOf(spans)).toEqual([]);
      return pathsOf(spans).filter((path) => path.endsWith('chat inner'));
    };

    expect(await pathsWith(inner, tool)).toEqual([
      'run.submit demo > topology.run > agent.step.lead > tool.call.ask > chat inner',
    ]);
    expect(await pathsWith(inner)).toEqual(['run.submit demo > topology.run > agent.step.lead > chat inner']);
  });

  it('closes with the run what never ended by itself', async () => {
    const trace = await traceOf([
      ...RUN_SKETCH.slice(0, 7),
      { type: 'run.ended', payload: { status: 'failed', reason: 'timeout', error: 'too long' } },
    ]);

    expect(faultsOf(named(trace))).toEqual([]);
    expect(ofType(trace, 'agent').map(({ error }) => error)).toEqual(['timeout', 'timeout', 'timeout']);
    expect(ofType(trace, 'session')).toMatchObject([{ error: 'timeout', of: { status: 'lost' } }]);
  });

  it('keeps children within their parents, although machines with other clocks wrote the times', async () => {
    const events = storedEvents(RUN_SKETCH).map((event) =>
      event.agentId === 'reader' ? { ...event, timestamp: at(-3600) } : event,
    );
    const ahead = storedEvents(RUN_SKETCH).map((event) =>
      event.agentId === 'reader' ? { ...event, timestamp: at(3600) } : event,
    );

    for (const skewed of [events, ahead]) {
      const trace = await wholeTrace({ ...jobOf({ startedAt: at(1), claimedAt: at(1) }), isCurrent: true }, skewed);
      expect(trace === null ? ['none'] : faultsOf(named(trace))).toEqual([]);
    }
  });

  it('of a run that nobody claimed is its wait', async () => {
    const trace = await traceOf(
      [
        { type: 'run.started', payload: runStarted },
        { type: 'run.parked', payload: { waiting_on: [], status: 'stopped', reason: 'stopped', error: '' } },
      ],
      {
        startedAt: null,
        claimedAt: null,
        attempt: 0,
      },
    );

    expect(pathsOf(named(trace))).toEqual(['run.submit demo', 'run.submit demo > run.queue']);
    expect(trace).toMatchObject({ end: 'stopped', decisions: { allow: 0, deny: 0 } });
  });

  it('counts what governance decided since the run was last parked', async () => {
    const denied = skillExecuted({ status: 'denied', policy_decision: 'deny' });
    const sketches: readonly AnySketch[] = [
      ...GATED.slice(0, 9),
      { type: 'skill.executed', agentId: 'lead', stepKey: 'root/d1/t0/c0:x', payload: denied },
      ended,
    ];

    expect((await traceOf(GATED.slice(0, 5))).decisions).toEqual({ allow: 1, deny: 0 });
    expect((await traceOf(sketches)).decisions).toEqual({ allow: 0, deny: 1 });
  });

  it('is none for events that do not begin with the submit', async () => {
    expect(await wholeTrace({ ...jobOf(), isCurrent: true }, storedEvents(RUN_SKETCH).slice(1))).toBeNull();
    expect(await wholeTrace({ ...jobOf(), isCurrent: true }, [])).toBeNull();
  });
});
