import { expect, it } from 'vitest';
import { eventText } from '../../src/view/lines/event-text.js';
import { reduceRun } from '../../src/view/reduce-run.js';
import { EMPTY_RUN } from '../../src/view/run-view.js';
import { type AnySketch, agentStarted, storedEvents } from '../support/stored-events.js';

const progress = (total: number | null, message: string | null): AnySketch => ({
  type: 'tool.progress',
  agentId: 'lead',
  stepKey: 'root/d0/t0/c0:index',
  payload: { tool: 'index', server: 'files', done: 2, total, message },
});
const started: AnySketch = {
  type: 'agent.started',
  agentId: 'lead',
  stepKey: 'root',
  payload: agentStarted('root', null),
};

it('an agent whose tool takes long says how far it is, and has made no call yet', () => {
  const view = storedEvents([started, progress(5, null)]).reduce(reduceRun, EMPTY_RUN);
  expect(view.agents.root).toMatchObject({
    current: { kind: 'tools', label: 'index 2 of 5' },
    calls: { tools: 0 },
    recentCalls: [],
  });

  const open = storedEvents([started, progress(null, null)]).reduce(reduceRun, EMPTY_RUN);
  expect(open.agents.root?.current).toEqual({ kind: 'tools', label: 'index 2' });
});

it('a line tells how far a call is, in words of its server that move no cursor', () => {
  const [event] = storedEvents([progress(5, 'reading\u001b[2J b.md')]);

  expect(event === undefined ? null : eventText(event).text).toBe('index at 2 of 5: reading b.md');
});
