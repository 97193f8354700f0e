import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanaryCounters } from '../../src/domain/ports/serving.js';
import type { CanaryRouteSettings, PromoteWhen } from '../../src/domain/server-settings.js';
import { allTo, conditionsOf, drawOf, earned, pickVersion, routeKey, weightsOf } from '../../src/govern/canary.js';

const WHEN: PromoteWhen = { minRuns: 10, errorRateBelow: 0.1, driftBelow: 0.3, needsDrift: false, windowMs: 60_000 };
const NOW = Date.parse('2026-03-01T12:00:00.000Z');

const route = (
  weights: readonly (readonly [string, number])[],
  promoteWhen: PromoteWhen | null = WHEN,
): CanaryRouteSettings => ({
  topology: 'answer',
  versions: weights.map(([version, weight]) => ({ version, weight, promoteWhen })),
});
const counters = (over: Partial<CanaryCounters> = {}): CanaryCounters => ({
  version: '2.0.0',
  runs: 10,
  failed: 0,
  driftSum: 0,
  driftCount: 0,
  windowStart: '2026-03-01T11:59:30.000Z',
  ...over,
});
const TWO = route([
  ['1.0.0', 90],
  ['2.0.0', 10],
]);
const state = (over: Partial<CanaryCounters> = {}, weights = weightsOf(TWO, null)) => ({
  weights,
  counters: [counters(over)],
  nowMs: NOW,
});

describe('the version of a run', () => {
  it('has exactly its weight of the hundred draws, in the order of the route', () => {
    const versions = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 5 }).map((cuts) => {
      const edges = [0, ...[...cuts].sort((a, b) => a - b), 100];
      return edges
        .slice(1)
        .map((edge, index): readonly [string, number] => [`${index}.0.0`, edge - (edges[index] ?? 0)]);
    });
    fc.assert(
      fc.property(versions, (list) => {
        const split = route(list);
        const picked = Array.from({ length: 100 }, (_, draw) => pickVersion(split, weightsOf(split, null), draw));
        for (const [version, weight] of list) expect(picked.filter((one) => one === version)).toHaveLength(weight);
        expect(picked).toEqual(
          [...picked].sort((a, b) => list.findIndex(([v]) => v === a) - list.findIndex(([v]) => v === b)),
        );
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it('is the same for one correlation id, and spread over many', () => {
    expect(drawOf('ticket-7')).toBe(drawOf('ticket-7'));
    const share = Array.from({ length: 20_000 }, (_, n) =>
      pickVersion(TWO, weightsOf(TWO, null), drawOf(`t${n}`)),
    ).filter((v) => v === '2.0.0').length;
    expect(share / 20_000).toBeCloseTo(0.1, 2);
  });

  it('follows an override instead of the file', () => {
    const override = { weights: allTo(TWO, '1.0.0'), at: '', by: 'ops', reason: 'rollback' as const };
    for (const draw of [0, 50, 99]) expect(pickVersion(TWO, weightsOf(TWO, override), draw)).toBe('1.0.0');
  });

  it('belongs to a route that another configuration of it does not share', () => {
    expect(routeKey('shop', TWO)).toBe(routeKey('shop', { ...TWO }));
    expect(
      routeKey(
        'shop',
        route([
          ['1.0.0', 80],
          ['2.0.0', 20],
        ]),
      ),
    ).not.toBe(routeKey('shop', TWO));
  });

  it('is of one workspace among those that share a database', () => {
    expect(routeKey('desk', TWO)).not.toBe(routeKey('shop', TWO));
  });
});

describe('a promotion by criteria', () => {
  it('asks for enough runs, few failures and little drift, each at its edge', () => {
    expect(earned(TWO, state())).toBe('2.0.0');
    expect(earned(TWO, state({ runs: 9 }))).toBeNull();
    expect(earned(TWO, state({ failed: 1 }))).toBeNull();
    expect(earned(TWO, state({ runs: 11, failed: 1 }))).toBe('2.0.0');
    expect(earned(TWO, state({ driftSum: 0.9, driftCount: 3 }))).toBeNull();
    expect(earned(TWO, state({ driftSum: 0.6, driftCount: 3 }))).toBe('2.0.0');
  });

  it('is unmet while a written condition on drift has nothing to measure, and says so', () => {
    const strict = route(
      [
        ['1.0.0', 90],
        ['2.0.0', 10],
      ],
      { ...WHEN, needsDrift: true },
    );
    expect(earned(strict, state())).toBeNull();
    expect(conditionsOf({ ...WHEN, needsDrift: true }, counters()).find(({ name }) => name === 'drift_below')).toEqual({
      name: 'drift_below',
      bound: 0.3,
      value: null,
      met: false,
      note: 'no run has measured drift',
    });
  });

  it('leaves versions alone that have all traffic, none, no criteria, or a window that is over', () => {
    expect(earned(TWO, state({}, allTo(TWO, '2.0.0')))).toBeNull();
    expect(earned(TWO, state({}, allTo(TWO, '1.0.0')))).toBeNull();
    expect(
      earned(
        route(
          [
            ['1.0.0', 90],
            ['2.0.0', 10],
          ],
          null,
        ),
        state(),
      ),
    ).toBeNull();
    expect(earned(TWO, state({ windowStart: '2026-03-01T11:58:59.000Z' }))).toBeNull();
  });
});
