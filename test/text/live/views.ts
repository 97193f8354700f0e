import { reduceRun } from '../../../src/view/reduce-run.js';
import { EMPTY_RUN, type RunView } from '../../../src/view/run-view.js';
import { type AnySketch, agentCompleted, agentStarted, runStarted, storedEvents } from '../../support/stored-events.js';

export const viewOf = (sketches: readonly AnySketch[]): RunView => storedEvents(sketches).reduce(reduceRun, EMPTY_RUN);

export const started = (key: string, parent: string | null): AnySketch => ({
  type: 'agent.started',
  agentId: key.split('/').at(-1) ?? key,
  stepKey: key,
  payload: agentStarted(key, parent),
});

export const completed = (key: string, part: Parameters<typeof agentCompleted>[1] = {}): AnySketch => ({
  type: 'agent.completed',
  agentId: key.split('/').at(-1) ?? key,
  stepKey: key,
  payload: agentCompleted(key, part),
});

/** A root with so many children, of which the first `over` are done. */
export const wide = (children: number, over: number): RunView => {
  const keys = Array.from({ length: children }, (_, index) => `root/c${index + 1}`);
  return viewOf([
    { type: 'run.started', payload: runStarted },
    started('root', null),
    ...keys.map((key) => started(key, 'root')),
    ...keys.slice(0, over).map((key) => completed(key)),
  ]);
};
