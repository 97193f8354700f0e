import { expect, it } from 'vitest';
import { eventText } from '../../src/view/lines/event-text.js';
import { reduceRun } from '../../src/view/reduce-run.js';
import { EMPTY_RUN, EMPTY_TRACE } from '../../src/view/run-view.js';
import { type AnySketch, agentStarted, executorResult, storedEvents } from '../support/stored-events.js';

const at = { agentId: 'coder', stepKey: 'root/d0/x' } as const;
const call = (payload: object): AnySketch =>
  ({ type: 'executor.tool_call', ...at, payload: { tool: 'Write', summary: '', ...payload } }) as AnySketch;
const SKETCH: readonly AnySketch[] = [
  {
    type: 'agent.started',
    agentId: 'coder',
    stepKey: 'root',
    payload: agentStarted('root', null, 'harness:claude-code'),
  },
  call({ status: '', call_id: 'c1' }),
  call({ status: 'error', call_id: 'c1', ends: true }),
  call({ tool: 'Read', status: 'ok', call_id: 'c2' }),
  // Of before: without an id each event is a call.
  call({ tool: 'Old', status: 'ok' }),
  {
    type: 'executor.result',
    ...at,
    payload: {
      kind: 'harness',
      ref: 'claude-code',
      status: 'success',
      reason: null,
      cost_usd: 0.5,
      input_tokens: 100,
      output_tokens: 20,
      cached_input_tokens: 60,
      reasoning_tokens: 5,
      diff_bytes: 0,
      exit_metadata: { returncode: 0, signal: null, stderr_tail: '' },
      duration_ms: 1,
    },
  },
];

it('counts a call of a harness once, by its id, and shows what came of it', () => {
  const view = storedEvents(SKETCH).reduce(reduceRun, EMPTY_RUN);

  expect(view.calls).toMatchObject({ tools: 3, failed: 1 });
  expect(view.agents.root?.recentCalls.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
    'Write failed',
    'Read ok',
    'Old ok',
  ]);
});

it('shows it once in the trace', () => {
  const view = storedEvents(SKETCH).reduce(reduceRun, EMPTY_TRACE);

  expect(view.agents.root?.trail.filter(({ kind }) => kind === 'harness-tool').map(({ name }) => name)).toEqual([
    'Write',
    'Read',
    'Old',
  ]);
});

it('sums cached and reasoning tokens of harnesses as those of models', () => {
  const view = storedEvents(SKETCH).reduce(reduceRun, EMPTY_RUN);

  expect(view.usage).toMatchObject({ inputTokens: 100, cachedInputTokens: 60, reasoningTokens: 5 });
});

it('tells of a session that was put down for people that nothing failed, and of a call that the next one ends', () => {
  const sketch: readonly AnySketch[] = [
    ...SKETCH.slice(0, 1),
    {
      type: 'executor.result',
      ...at,
      payload: executorResult({ status: 'needs_approval', reason: 'tool_deferred', duration_ms: 449 }),
    },
    call({ tool: '', status: 'ok', summary: 'Postgres', call_id: 'c0' }),
    {
      type: 'executor.result',
      ...at,
      payload: executorResult({ status: 'needs_approval', reason: 'approval_requested' }),
    },
  ];
  const events = storedEvents(sketch);
  const view = events.reduce(reduceRun, EMPTY_TRACE);

  expect(view.agents.root?.trail.map(({ name, status, reason }) => [name, status, reason])).toEqual([
    ['harness:test-runner', 'ok', 'people are asked'],
    ['a call of an earlier session', 'ok', null],
    ['harness:test-runner', 'failed', 'approval_requested'],
  ]);
  const lines = events.map((event) => eventText(event)?.text);
  expect(lines).toContain('test-runner is put down, people are asked, 449 ms');
  expect(lines).toContain('a call of an earlier session Postgres ok');
});
