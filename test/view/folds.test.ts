import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../src/domain/events.js';
import { callGraph } from '../../src/view/call-graph.js';
import { reduceRun } from '../../src/view/reduce-run.js';
import { EMPTY_RUN, EMPTY_TRACE, type RunView } from '../../src/view/run-view.js';
import { type GapsView, gapsOf, NO_GAPS, reduceGaps } from '../../src/view/skill-gaps.js';
import { busyStretches } from '../../src/view/time-axis.js';
import { toWireRun } from '../../src/view/wire-run.js';
import { busyRun } from '../support/observed-run.js';
import { recordedStreams } from '../support/recorded-streams.js';
import type { World } from '../support/run-world.js';
import { RUN_SKETCH, storedEvents } from '../support/stored-events.js';

/** A fold, its first value, and what the screens derive from it. */
interface Fold<V> {
  readonly from: V;
  readonly step: (view: V, event: StoredEvent) => V;
  readonly shown: (view: V) => unknown;
}

const shownOfRun = (view: RunView) => ({ wire: toWireRun(view), graph: callGraph(view), busy: busyStretches(view) });
const LIVE: Fold<RunView> = { from: EMPTY_RUN, step: reduceRun, shown: shownOfRun };
const TRACE: Fold<RunView> = { from: EMPTY_TRACE, step: reduceRun, shown: shownOfRun };
const GAPS: Fold<GapsView> = { from: NO_GAPS, step: reduceGaps, shown: gapsOf };

/**
 * How a stream arrives: pages of any size, each of which may begin before where the last ended, and
 * the view may be stored in between.
 */
const delivery = fc.array(
  fc.record({
    size: fc.integer({ min: 0, max: 12 }),
    overlap: fc.integer({ min: 0, max: 60 }),
    isStored: fc.boolean(),
  }),
  {
    maxLength: 30,
  },
);

function deliver<V>(
  fold: Fold<V>,
  events: readonly StoredEvent[],
  pages: readonly { size: number; overlap: number; isStored: boolean }[],
): V {
  let view = fold.from;
  let place = 0;
  for (const { size, overlap, isStored } of [...pages, { size: events.length, overlap: 3, isStored: false }]) {
    const end = Math.min(events.length, place + size);
    for (const event of events.slice(Math.max(0, place - overlap), end)) view = fold.step(view, event);
    place = end;
    if (isStored) view = JSON.parse(JSON.stringify(view));
  }
  return view;
}

function holdsFor<V>(fold: Fold<V>, events: readonly StoredEvent[]): void {
  const whole = events.reduce(fold.step, fold.from);
  fc.assert(
    fc.property(delivery, (pages) => {
      const view = deliver(fold, events, pages);
      expect(view).toEqual(whole);
      expect(fold.shown(view)).toEqual(fold.shown(whole));
    }),
    { numRuns: 200 },
  );
  expect(events.reduce(fold.step, whole)).toBe(whole);
}

describe('a folded view equals itself however its stream is cut, repeated and stored in between', () => {
  let world: World;
  let live: readonly StoredEvent[];
  beforeAll(async () => {
    world = await busyRun();
    live = await world.events();
  });
  afterAll(() => world.close());

  const streams = recordedStreams();

  it.each(streams)('over the recorded journal $name', ({ events }) => {
    expect(events.length).toBeGreaterThan(5);
    holdsFor(LIVE, events);
    holdsFor(TRACE, events);
    holdsFor(GAPS, events);
  });

  it('over a run that just ended, with gaps and failures', () => {
    expect(live.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['skill.gap', 'skill.executed', 'agent.completed', 'run.ended']),
    );
    holdsFor(LIVE, live);
    holdsFor(TRACE, live);
    holdsFor(GAPS, live);
  });

  it('over a harness beside a model', () => holdsFor(TRACE, storedEvents(RUN_SKETCH)));

  it('differs when an event is left out: the check can fail', () => {
    const whole = live.reduce(reduceRun, EMPTY_TRACE);
    for (const [index, event] of live.entries()) {
      if (event.type === 'output.validated' || event.type === 'input.validated') continue;
      const others = live.filter((_one, place) => place !== index);
      expect({
        seq: event.seq,
        same: JSON.stringify(others.reduce(reduceRun, EMPTY_TRACE)) === JSON.stringify(whole),
      }).toEqual({
        seq: event.seq,
        same: false,
      });
    }
  });
});
