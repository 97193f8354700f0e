import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRASH_STORES, type CrashStoreName } from '../support/crash-database.js';
import { isFull, seed, shuffled } from '../support/crash-share.js';
import {
  type Crashes,
  type CrashTally,
  crashCallees,
  crashCallers,
  openTwoKits,
  referenceCall,
} from '../support/kits/two-kits.js';

/** Points of a share, by the seed. */
const SHARE: Readonly<Record<CrashStoreName, number>> = { SQLite: 2, PostgreSQL: 1 };
/** A point that another order of two writes passes by is not a death. */
const LEAST_DEATHS = 0.8;

describe.each(CRASH_STORES)('a kit that calls another one with a token, each on %s,', (store) => {
  let kits: Crashes['kits'];
  let reference: Awaited<ReturnType<typeof referenceCall>>;
  beforeAll(async () => {
    kits = await openTwoKits(store);
    reference = await referenceCall(kits);
  }, 600_000);
  afterAll(() => kits.close());

  it('lets go of its slot while it waits, and makes one run there and one result here', () => {
    expect(reference.violations).toEqual([]);
    const names = (points: Crashes['points']) => [...new Set(points.map(({ name }) => name))];
    expect(names(reference.ofA)).toEqual(
      expect.arrayContaining(['run.step_noted:after', 'run.parked:after', 'remote.hold:before', 'remote.settle:after']),
    );
    expect(names(reference.ofB)).toEqual(expect.arrayContaining(['job.insert:after', 'review.change:before']));
  });

  const cases: readonly (readonly [string, 'ofA' | 'ofB', (of: Crashes) => Promise<CrashTally>])[] = [
    ['caller', 'ofA', crashCallers],
    ['callee', 'ofB', crashCallees],
  ];
  it.each(cases)('does so whatever fault point the %s is killed at', { timeout: 3_600_000 }, async (who, of, crash) => {
    const all = reference[of];
    const points = isFull() ? all : shuffled(all).slice(0, SHARE[store]);
    const { calls, deaths, violations } = await crash({ kits, points, lanes: isFull() ? 3 : 1 });
    console.log(`two kits on ${store}: the ${who} at ${calls}/${all.length} points, ${deaths} deaths, seed ${seed()}`);
    expect(violations).toEqual([]);
    expect(deaths).toBeGreaterThanOrEqual(Math.floor(points.length * LEAST_DEATHS));
  });
});
