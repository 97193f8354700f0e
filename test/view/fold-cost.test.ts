import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../src/domain/events.js';
import { agentTree } from '../../src/view/agent-tree.js';
import { callGraph } from '../../src/view/call-graph.js';
import { foldRun, reduceRun } from '../../src/view/reduce-run.js';
import { RunFold } from '../../src/view/run-fold.js';
import { EMPTY_RUN, EMPTY_TRACE, type RunView } from '../../src/view/run-view.js';
import { ratioOf } from '../support/guards/processor-time.js';
import { type AnySketch, modelCalled, storedEvents } from '../support/stored-events.js';

/** A lead that asks one child after the other, each of which calls its model: 4 events a child. */
function leadWith(children: number): readonly StoredEvent[] {
  const started = (activation: string, parent: string | null): AnySketch => ({
    type: 'agent.started',
    agentId: activation === 'root' ? 'lead' : 'worker',
    payload: { activation, role: 'worker', executor: 'model', parent_key: parent },
  });
  const turns = Array.from({ length: children }, (_, index): readonly AnySketch[] => {
    const child = `root/d${index}`;
    return [
      { type: 'model.called', agentId: 'lead', stepKey: `root/m${index}`, payload: modelCalled({ tool_calls: 1 }) },
      started(child, 'root'),
      { type: 'model.called', agentId: 'worker', stepKey: `${child}/m0`, payload: modelCalled() },
      {
        type: 'agent.completed',
        agentId: 'worker',
        payload: { activation: child, role: 'worker', status: 'ok', reason: null, duration_ms: 5, result_length: 2 },
      },
    ];
  });
  return storedEvents([started('root', null), ...turns.flat()]);
}

/** Ten times the events. */
const MOST_GROWTH = 15;

describe('the fold of a run', () => {
  it.each([
    ['trace', EMPTY_TRACE],
    ['live view', EMPTY_RUN],
  ] as const)('costs in proportion to its events: %s', (_, from) => {
    const [short, long] = [leadWith(250), leadWith(2_500)];
    const shown = (events: readonly StoredEvent[]): void => {
      const fold = new RunFold(from);
      for (const event of events) fold.add(event);
      agentTree(fold.view);
      callGraph(fold.view);
    };
    for (const events of [short, long, short, long]) shown(events);

    // Ten short runs, so that both sides pay for the collector. Ten times the events: 15 times the
    // work leaves room for what V8 makes of large dictionaries; a copy of the agents for each event
    // made it about 80.
    const toTenShort = ratioOf(
      MOST_GROWTH / 10,
      () => shown(long),
      () => {
        for (let n = 0; n < 10; n += 1) shown(short);
      },
    );
    expect(toTenShort * 10).toBeLessThanOrEqual(MOST_GROWTH);
  });

  it('is the same however the events were grouped', () => {
    const events = leadWith(40);
    const one = events.reduce(reduceRun, EMPTY_TRACE);

    expect(foldRun(EMPTY_TRACE, events)).toEqual(one);
    expect(foldRun(foldRun(EMPTY_TRACE, events.slice(0, 77)), events.slice(50))).toEqual(one);
  });

  it('leaves the view that it began with as it was', () => {
    const events = leadWith(10);
    const before = foldRun(EMPTY_TRACE, events.slice(0, 21));
    const text = JSON.stringify(before);

    foldRun(before, events.slice(21));

    expect(JSON.stringify(before)).toBe(text);
    expect(JSON.stringify(EMPTY_TRACE)).toBe(JSON.stringify({ ...EMPTY_RUN, keeps: 'all' }));
  });

  it('says that a caller thinks again once the last of its children has ended', () => {
    const events = leadWith(2);
    const current = (until: number): RunView['agents'][string]['current'] | undefined =>
      foldRun(EMPTY_RUN, events.slice(0, until)).agents.root?.current;

    expect(current(4)).toEqual({ kind: 'delegating', label: 'worker' });
    expect(current(5)).toEqual({ kind: 'thinking', label: '' });
  });
});
