import fc from 'fast-check';
import { expect } from 'vitest';
import type { StoredEvent } from '../../src/domain/events.js';
import { callGraph } from '../../src/view/call-graph.js';
import { reduceRun } from '../../src/view/reduce-run.js';
import { EMPTY_RUN, EMPTY_TRACE, type RunView } from '../../src/view/run-view.js';
import { gapsOf } from '../../src/view/schemas/gap.js';
import { toWireRun } from '../../src/view/schemas/run.js';
import { type GapsView, NO_GAPS, reduceGaps } from '../../src/view/skill-gaps.js';
import { busyStretches } from '../../src/view/time-axis.js';

/** A fold, its first value, and what the screens derive from it. */
interface Fold<V> {
  readonly from: V;
  readonly step: (view: V, event: StoredEvent) => V;
  readonly shown: (view: V) => unknown;
}

const shownOfRun = (view: RunView) => ({ wire: toWireRun(view), graph: callGraph(view), busy: busyStretches(view) });
export const LIVE: Fold<RunView> = { from: EMPTY_RUN, step: reduceRun, shown: shownOfRun };
export const TRACE: Fold<RunView> = { from: EMPTY_TRACE, step: reduceRun, shown: shownOfRun };
export const GAPS: Fold<GapsView> = { from: NO_GAPS, step: reduceGaps, shown: gapsOf };

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

/** The same view, and the same screens, however the events come. */
export function holdsFor<V>(fold: Fold<V>, events: readonly StoredEvent[]): void {
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
