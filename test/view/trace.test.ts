import { describe, expect, it } from 'vitest';
import { type CallGraph, callGraph } from '../../src/view/call-graph.js';
import { reduceRun } from '../../src/view/reduce-run.js';
import { EMPTY_RUN, EMPTY_TRACE, type RunView } from '../../src/view/run-view.js';
import { toWireRun } from '../../src/view/schemas/run.js';
import { issuesOf } from '../../src/view/warnings.js';
import {
  type AnySketch,
  agentCompleted,
  agentStarted,
  modelCalled,
  RUN_SKETCH,
  runStarted,
  skillExecuted,
  storedEvents,
} from '../support/stored-events.js';

const fold = (sketches: readonly AnySketch[], from: RunView = EMPTY_TRACE): RunView =>
  storedEvents(sketches).reduce(reduceRun, from);

const A = 'root/d0/t0/c0:a';
const B = 'root/d0/t0/c1:b';
const tool = (key: string, name: string, part = {}): AnySketch => ({
  type: 'skill.executed',
  agentId: key === A ? 'a' : 'b',
  stepKey: `${key}/d0/t0/c0:${name}`,
  payload: skillExecuted({ tool: name, ...part }),
});

/**
 * Two children at the same time, whose events come in turns: what a trace by arrival would mix up.
 */
const SIDE_BY_SIDE: readonly AnySketch[] = [
  { type: 'run.started', payload: runStarted },
  { type: 'agent.started', agentId: 'lead', stepKey: 'root', payload: agentStarted('root', null) },
  { type: 'agent.started', agentId: 'a', stepKey: A, payload: agentStarted(A, 'root') },
  { type: 'agent.started', agentId: 'b', stepKey: B, payload: agentStarted(B, 'root') },
  tool(A, 'read'),
  tool(B, 'write'),
  tool(B, 'write', { duration_ms: 70 }),
  tool(A, 'read', { status: 'failed', reason: 'exit_code' }),
  { type: 'model.called', agentId: 'b', stepKey: `${B}/d0/t1`, payload: modelCalled() },
  { type: 'agent.completed', agentId: 'b', stepKey: B, payload: agentCompleted(B, { duration_ms: 9_000 }) },
  { type: 'agent.completed', agentId: 'a', stepKey: A, payload: agentCompleted(A, { duration_ms: 9_000 }) },
];

const namesIn = (graph: CallGraph): unknown =>
  graph.kind === 'agent'
    ? { [graph.agent.agentId]: graph.children.map(namesIn) }
    : `${graph.call.name} ${graph.call.status} ×${graph.count}`;

describe('a trace', () => {
  it('keeps each call with the activation that its step key names, however the events of siblings interleave', () => {
    const view = fold(SIDE_BY_SIDE);

    expect(view.agents[A]?.trail.map(({ name, status, reason }) => [name, status, reason])).toEqual([
      ['read', 'ok', null],
      ['read', 'failed', 'exit_code'],
    ]);
    expect(view.agents[B]?.trail.map(({ name, kind }) => [name, kind])).toEqual([
      ['write', 'tool'],
      ['write', 'tool'],
      ['mock/m1', 'model'],
    ]);
    expect(view.agents.root?.trail).toEqual([]);
  });

  it('keeps nothing of it in a live view, whose size does not grow with the calls', () => {
    const calls = Array.from({ length: 500 }, () => tool(A, 'read'));
    const live = fold([...SIDE_BY_SIDE, ...calls], EMPTY_RUN);
    const trace = fold([...SIDE_BY_SIDE, ...calls]);

    expect(live.agents[A]?.trail).toEqual([]);
    expect(JSON.stringify(live).length).toBeLessThan(JSON.stringify(fold(SIDE_BY_SIDE, EMPTY_RUN)).length + 1_000);
    expect(trace.agents[A]?.trail).toHaveLength(502);
  });

  it('says the same as the live view about everything else', () => {
    const strip = (view: RunView) => ({
      ...view,
      keeps: null,
      agents: Object.values(view.agents).map((agent) => ({ ...agent, trail: null })),
    });

    expect(strip(fold(RUN_SKETCH))).toEqual(strip(fold(RUN_SKETCH, EMPTY_RUN)));
  });

  it('shows who called what in the order of the log, with equal calls in a row as one', () => {
    const [root] = callGraph(fold(SIDE_BY_SIDE));

    expect(root === undefined ? null : namesIn(root)).toEqual({
      lead: [{ a: ['read ok ×1', 'read failed ×1'] }, { b: ['write ok ×2', 'mock/m1 ok ×1'] }],
    });
  });

  it('tells the slowest of several calls, because a sum lies where they ran side by side', () => {
    const [root] = callGraph(fold(SIDE_BY_SIDE));
    const b = root?.children[1];

    expect(b?.kind === 'agent' ? b.children[0] : null).toMatchObject({ count: 2, longestMs: 70 });
  });

  it('has a harness with the calls that it told of, and its own result', () => {
    const view = fold(RUN_SKETCH);

    expect(view.agents['root/d0/t0/c0:tester']?.trail).toMatchObject([
      { kind: 'harness-tool', name: 'node --test', status: 'ok', durationMs: null, usage: null },
      { kind: 'executor', name: 'harness:test-runner', status: 'ok', durationMs: 4_200 },
    ]);
    expect(toWireRun(view)).toMatchObject({
      executors: [{ ref: 'test-runner', agent_id: 'tester', exit_code: 0, duration_ms: 4_200 }],
    });
  });

  it('has an unknown cost of a call as unknown, and a call that failed before an answer as free', () => {
    const failed = {
      type: 'model.called',
      agentId: 'a',
      stepKey: `${A}/d0/t2`,
      payload: modelCalled({ status: 'failed', input_tokens: 0, output_tokens: 0, cost_usd: null }),
    } as const;
    const unknown = { ...failed, payload: modelCalled({ cost_usd: null }) };
    const wire = toWireRun(fold([...SIDE_BY_SIDE, failed, unknown])) as unknown as {
      agents: { trail: { usage: { cost_usd: number | null } | null }[] }[];
    };

    expect(wire.agents[1]?.trail.slice(-2).map(({ usage }) => usage?.cost_usd)).toEqual([0, null]);
  });

  it('holds an agent that is named like a member of every object', () => {
    const view = fold([
      { type: 'run.started', payload: runStarted },
      { type: 'agent.started', agentId: '__proto__', stepKey: '__proto__', payload: agentStarted('__proto__', null) },
      { type: 'skill.executed', agentId: '__proto__', stepKey: '__proto__/d0', payload: skillExecuted() },
    ]);

    expect(toWireRun(view)).toMatchObject({ agents: [{ activation: '__proto__', trail: [{ name: 'read-file' }] }] });
    expect(callGraph(view)).toHaveLength(1);
  });

  it('counts what somebody should look at: failed and denied calls, and agents that did not end well', () => {
    expect(issuesOf(fold(SIDE_BY_SIDE))).toBe(1);
    expect(issuesOf(fold(RUN_SKETCH))).toBe(2);
  });
});
