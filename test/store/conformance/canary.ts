import { expect, it } from 'vitest';
import type { CanaryPromotion } from '../../../src/domain/ports/serving.js';
import type { World } from '../../support/store-world.js';
import { MANUAL_START_MS } from '../../support/store-world.js';

const HOUR_MS = 3_600_000;
const ROUTE = 'f'.repeat(64);
const at = (plusMs: number): string => new Date(MANUAL_START_MS + plusMs).toISOString();

const promotion = (over: Partial<CanaryPromotion> = {}): Omit<CanaryPromotion, 'at'> => ({
  topology: 'review',
  weights: { '1.0.0': 0, '2.0.0': 100 },
  oldWeights: { '1.0.0': 90, '2.0.0': 10 },
  counters: [{ version: '2.0.0', runs: 50, failed: 1, driftSum: 0.5, driftCount: 2, windowStart: at(0) }],
  by: 'ada',
  reason: 'promote',
  ...over,
});

export function canaryLaws(world: World): void {
  const canary = () => world().stores.serving.canary;
  const record = (
    jobId: string,
    over: Partial<Parameters<ReturnType<typeof canary>['record']>[1]> = {},
    route = ROUTE,
  ) => canary().record(route, { jobId, version: '2.0.0', failed: false, drift: null, windowMs: HOUR_MS, ...over });

  it('knows nothing of a route that has counted nothing', async () => {
    expect(await canary().state(ROUTE)).toEqual({ counters: [], override: null });
    expect(await canary().promotions(null, 10)).toEqual([]);
  });

  it('counts runs, failures and measured drift, each version for itself', async () => {
    await record('a');
    await record('b', { failed: true, drift: 0.25 });
    await record('c', { version: '1.0.0', drift: 0 });

    const state = await record('d', { drift: 0.5 });

    expect(state).toEqual(await canary().state(ROUTE));
    expect(state.counters).toEqual([
      { version: '1.0.0', runs: 1, failed: 0, driftSum: 0, driftCount: 1, windowStart: at(0) },
      { version: '2.0.0', runs: 3, failed: 1, driftSum: 0.75, driftCount: 2, windowStart: at(0) },
    ]);
  });

  it('counts a run once, whoever reports its end and whatever they say', async () => {
    await record('a');
    const again = await Promise.all([
      record('a'),
      record('a', { failed: true, drift: 1 }),
      record('a', { version: '1.0.0' }),
    ]);

    for (const state of again)
      expect(state.counters).toMatchObject([{ version: '2.0.0', runs: 1, failed: 0, driftCount: 0 }]);
  });

  it('counts every one of many runs that end at once', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, n) => record(`job-${n}`, { failed: n % 3 === 0 })));

    expect((await canary().state(ROUTE)).counters).toMatchObject([{ runs: 30, failed: 10 }]);
  });

  it('begins a window anew when it is as old as it may get, each version for itself', async () => {
    await record('a', { failed: true, drift: 1 });
    await record('b', { version: '1.0.0' });
    await world().elapse(HOUR_MS - 1);
    await record('c');
    expect((await canary().state(ROUTE)).counters).toMatchObject([
      { version: '1.0.0' },
      { version: '2.0.0', runs: 2, windowStart: at(0) },
    ]);

    await world().elapse(1);
    await record('d', { drift: 0.5 });

    expect((await canary().state(ROUTE)).counters).toEqual([
      { version: '1.0.0', runs: 1, failed: 0, driftSum: 0, driftCount: 0, windowStart: at(0) },
      { version: '2.0.0', runs: 1, failed: 0, driftSum: 0.5, driftCount: 1, windowStart: at(HOUR_MS) },
    ]);
  });

  it('starts anew for a route of another configuration', async () => {
    await record('a');
    await canary().override(ROUTE, promotion(), null);
    const changed = '0'.repeat(64);

    expect(await canary().state(changed)).toEqual({ counters: [], override: null });
    expect((await record('a', {}, changed)).counters).toMatchObject([{ runs: 1 }]);
    expect((await canary().state(ROUTE)).override).not.toBeNull();
  });

  it('changes weights only for who has seen the newest change', async () => {
    expect(await canary().override(ROUTE, promotion(), 'never')).toBe(false);
    expect(await canary().override(ROUTE, promotion(), null)).toBe(true);
    expect(await canary().override(ROUTE, promotion({ by: 'late' }), null)).toBe(false);
    const first = (await canary().state(ROUTE)).override;
    expect(first).toEqual({ weights: { '1.0.0': 0, '2.0.0': 100 }, at: at(0), by: 'ada', reason: 'promote' });

    expect(await canary().override(ROUTE, promotion({ by: 'bob', reason: 'rollback' }), first?.at ?? '')).toBe(true);
    // The clock stands still: the second change is told from the first all the same.
    expect(await canary().override(ROUTE, promotion({ by: 'late' }), first?.at ?? '')).toBe(false);

    expect((await canary().state(ROUTE)).override).toMatchObject({ by: 'bob', reason: 'rollback' });
  });

  it('lets one of many changes win that follow the same one', async () => {
    for (const round of [1, 2, 3]) {
      const expected = (await canary().state(ROUTE)).override?.at ?? null;
      const won = await Promise.all(
        Array.from({ length: 10 }, (_, n) => canary().override(ROUTE, promotion({ by: `${round}-${n}` }), expected)),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect((await canary().state(ROUTE)).override?.by).toBe(`${round}-${won.indexOf(true)}`);
    }
    expect(await canary().promotions(null, 100)).toHaveLength(3);
  });

  it('lists changes newest first, of one topology or of all, with what was known when they were made', async () => {
    await canary().override(ROUTE, promotion(), null);
    await world().elapse(1000);
    await canary().override('0'.repeat(64), promotion({ topology: 'other', reason: 'criteria', by: 'kit' }), null);
    await world().elapse(1000);
    await canary().override(ROUTE, promotion({ reason: 'rollback' }), at(0));

    const all = await canary().promotions(null, 10);

    expect(all.map((change) => [change.topology, change.reason, change.at])).toEqual([
      ['review', 'rollback', at(2000)],
      ['other', 'criteria', at(1000)],
      ['review', 'promote', at(0)],
    ]);
    expect(all.at(-1)).toEqual({ ...promotion(), at: at(0) });
    expect((await canary().promotions('review', 10)).map((change) => change.reason)).toEqual(['rollback', 'promote']);
    expect((await canary().promotions(null, 1)).map((change) => change.reason)).toEqual(['rollback']);
    expect(await canary().promotions('nobody', 10)).toEqual([]);
  });

  it('keeps counters and changes across a restart', async () => {
    await record('a');
    await canary().override(ROUTE, promotion(), null);
    const before = await canary().state(ROUTE);

    await world().reopen();

    expect(await canary().state(ROUTE)).toEqual(before);
    expect((await record('a')).counters).toMatchObject([{ runs: 1 }]);
  });
}
