import { expect, it } from 'vitest';
import { agentWords } from '../../src/text/live/agent-words.js';
import { queueText } from '../../src/text/queue-text.js';
import { statusText } from '../../src/text/status-text.js';
import { traceText } from '../../src/text/trace-text.js';
import { agentStatusText } from '../../src/view/agent-status.js';
import { outagesText } from '../../src/view/lines/failure-text.js';
import { reduceRun } from '../../src/view/reduce-run.js';
import { figuresOf } from '../../src/view/run-figures.js';
import { EMPTY_TRACE, type RunView } from '../../src/view/run-view.js';
import { toWireRun } from '../../src/view/schemas/run.js';
import { outageSituation } from '../../src/view/situation/outage.js';
import {
  type AnySketch,
  agentStarted,
  modelCalled,
  runStarted,
  skillExecuted,
  storedEvents,
} from '../support/stored-events.js';
import { jobOf } from '../support/view-samples.js';
import { QUEUE } from '../text/top/samples.js';

const UNTIL = '2030-01-01T00:00:05.000Z';
const waiting = (key: string, reason: string, until: string | null = UNTIL): AnySketch => ({
  type: 'step.waiting',
  agentId: 'lead',
  stepKey: key,
  payload: { key, reason, tries: 2, until },
});
const BEGIN: readonly AnySketch[] = [
  { type: 'run.started', payload: runStarted },
  { type: 'agent.started', agentId: 'lead', stepKey: 'root', payload: agentStarted('root', null) },
];
const viewOf = (...sketches: readonly AnySketch[]): RunView =>
  storedEvents([...BEGIN, ...sketches]).reduce(reduceRun, EMPTY_TRACE);
const plain = { color: false, width: null };
const WORDS = 'the provider is down (provider.network, try 2): waits until 2030-01-01 00:00:05 UTC';

it('a run that waits for what is down says so in each view, and for how long', () => {
  const view = viewOf(waiting('root/d0/t0', 'provider.network'));
  const job = jobOf({ status: 'running', waitingOn: ['outage:root/d0/t0'] });
  const outage = outagesText(view);

  expect(outage).toBe(WORDS);
  expect(statusText([{ job, figures: figuresOf(view), outage, wallMs: 1 }], plain)).toContain(WORDS);
  const trace = traceText({ job, view, wallMs: 1 }, plain);
  expect(trace).toContain(WORDS);
  expect(trace).not.toContain('outage:');
  const agent = view.agents.root;
  if (agent === undefined) throw new Error('the agent is not there');
  expect(agentWords(agent, { view, hasEnded: false }).words).toBe(
    'the provider is down, try 2: again at 2030-01-01 00:00:05 UTC',
  );
  expect(toWireRun(view).outages).toEqual([
    { key: 'root/d0/t0', agent_id: 'lead', reason: 'provider.network', tries: 2, until: UNTIL },
  ]);
});

it('names the provider or the tool server that is down, where the log does', () => {
  const named = (reason: string, name: string): AnySketch => {
    const sketch = waiting('root/d0/t0', reason);
    return { ...sketch, payload: { ...sketch.payload, name } } as AnySketch;
  };
  const view = viewOf(named('provider.network', 'ollama'));
  const job = jobOf({ status: 'running' });

  expect(outagesText(view)).toMatch(/^the provider ollama is down \(provider.network, try 2\)/);
  expect(outagesText(viewOf(named('tool.unreachable', 'files')))).toMatch(/^the tool server files is down/);
  expect(agentWords(view.agents.root as never, { view, hasEnded: false }).words).toContain(
    'the provider ollama is down',
  );
  expect(outageSituation(job, storedEvents([...BEGIN, named('provider.network', 'ollama')]))?.cause).toMatch(
    /^the provider ollama is down/,
  );
  expect(toWireRun(view).outages).toMatchObject([{ name: 'ollama' }]);
});

it('the longest of several waits counts, and what a step tells next ends its own', () => {
  const tool = waiting('root/d0/t0/c0:say', 'tool.unreachable', '2030-01-01T00:01:00.000Z');
  const model = waiting('root/d0/t1', 'provider.server');
  const both = viewOf(tool, model);
  expect(outagesText(both)).toBe(
    'the server of a tool is down (tool.unreachable, try 2): waits until 2030-01-01 00:01:00 UTC, and 1 more',
  );
  const called: AnySketch = { type: 'model.called', agentId: 'lead', stepKey: 'root/d0/t1', payload: modelCalled() };
  expect(Object.keys(viewOf(tool, model, called).outages)).toEqual(['root/d0/t0/c0:say']);
  const done: AnySketch = {
    type: 'skill.executed',
    agentId: 'lead',
    stepKey: 'root/d0/t0/c0:say',
    payload: skillExecuted(),
  };
  expect(outagesText(viewOf(tool, model, called, done))).toBeNull();
});

it('the queue says how many runs wait for what is down, and when the next of them looks', () => {
  expect(queueText(QUEUE, plain)).not.toContain('down');
  const text = queueText({ ...QUEUE, outages: { jobs: 2, nextAt: UNTIL } }, plain);
  expect(text).toContain('2 runs wait for what is down; the next looks at 2030-01-01 00:00:05 UTC');
});

it.each([
  ['limit.in_flight', null, 'waits for a call to end: the provider takes no more at the same time'],
  ['limit.requests_per_minute', UNTIL, 'waits for the limit on requests a minute until 2030-01-01 00:00:05 UTC'],
  ['limit.closed', UNTIL, 'waits for the provider, which limits the rate until 2030-01-01 00:00:05 UTC'],
])('a call that its provider does not take yet says why: %s', (reason, until, words) => {
  const view = viewOf(waiting('root/d0/t0', reason, until));
  const agent = view.agents.root;
  if (agent === undefined) throw new Error('the agent is not there');

  expect(outagesText(view)).toBe(words);
  expect(agentWords(agent, { view, hasEnded: false }).words).toBe(words);
  expect(agentStatusText(agent, view)).toBe('waits for the provider');
  const admitted: AnySketch = {
    type: 'step.admitted',
    agentId: 'lead',
    stepKey: 'root/d0/t0',
    payload: { key: 'root/d0/t0', waited_ms: 1_500 },
  };
  expect(viewOf(waiting('root/d0/t0', reason, until), admitted).outages).toEqual({});
});

it('a run whose calls wait for their provider is told apart from one whose provider is down', () => {
  const job = jobOf({ status: 'running', workerId: 'w1', waitingOn: [] });
  const events = storedEvents([...BEGIN, waiting('root/d0/t0', 'limit.in_flight', null)]);

  expect(outageSituation(job, events)).toMatchObject({
    code: 'running.limited',
    actors: [{ kind: 'process', names: ['w1'] }],
    cause: 'a call of a model waits for a call to end: the provider takes no more at the same time',
  });
});
