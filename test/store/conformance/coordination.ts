import { expect, it } from 'vitest';
import type { LimiterAsk } from '../../../src/domain/limiter.js';
import { HOLDER_MS } from '../../../src/domain/limiter-state.js';
import type { AccessEntry } from '../../../src/domain/ports/serving.js';
import { OCCURRENCE_MS } from '../../../src/store/serving/coordination.js';
import type { World } from '../../support/store-world.js';
import { MANUAL_START_MS } from '../../support/store-world.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const at = (plusMs: number): string => new Date(MANUAL_START_MS + plusMs).toISOString();

const entry = (n: number, over: Partial<AccessEntry> = {}): AccessEntry => ({
  clientId: 'ada',
  provider: 'api_key',
  method: 'POST',
  route: '/run/:topology',
  status: 200,
  requestId: `request-${n}`,
  ...over,
});

/** What servers of one database agree on, and what they write down of their callers. */
export function coordinationLaws(world: World): void {
  const serving = () => world().stores.serving;

  it('keeps each line of the access log, newest first, with its own time', async () => {
    await serving().recordAccess([entry(1), entry(2, { status: 403, clientId: 'bo\u0000b' })]);
    await world().elapse(1000);
    await serving().recordAccess([]);
    await serving().recordAccess([entry(3)]);

    expect(await serving().access(10)).toEqual([
      { ...entry(3), at: at(1000) },
      { ...entry(2, { status: 403, clientId: 'bo\u0000b' }), at: at(0) },
      { ...entry(1), at: at(0) },
    ]);
    expect((await serving().access(1)).map(({ requestId }) => requestId)).toEqual(['request-3']);
  });

  it('writes a batch of the access log as one', async () => {
    const batch = Array.from({ length: 500 }, (_, n) => entry(n));

    await Promise.all([serving().recordAccess(batch), serving().recordAccess([entry(1000)])]);

    expect(await serving().access(1000)).toHaveLength(501);
  });

  it('keeps lines of the access log however old they are: only the retention of audit removes them', async () => {
    const { retention } = world().stores;
    await serving().recordAccess([entry(1), entry(2), entry(3)]);
    await world().elapse(365 * DAY_MS);
    await serving().recordAccess([entry(4)]);
    await world().elapse(1);
    await serving().recordAccess([entry(5), entry(6)]);
    expect(await serving().access(10)).toHaveLength(6);

    expect(await retention.plan({ olderThanDays: 365 }, 'exact')).toMatchObject({ runs: 0, rows: { serve_access: 3 } });
    expect(await retention.prune({ olderThanDays: 365 }, () => {})).toMatchObject({
      runs: 0,
      rows: { serve_access: 3 },
    });

    expect((await serving().access(10)).map(({ requestId }) => requestId)).toEqual([
      'request-6',
      'request-5',
      'request-4',
    ]);
    expect(await retention.prune({ olderThanDays: 365 }, () => {})).toMatchObject({ rows: { serve_access: 0 } });
  });

  it('gives an occurrence of a trigger to the first who takes it', async () => {
    expect(await serving().takeOccurrence('nightly', '2026-01-02T03:00:00Z')).toBe(true);
    expect(await serving().takeOccurrence('nightly', '2026-01-02T03:00:00Z')).toBe(false);
    expect(await serving().takeOccurrence('nightly', '2026-01-03T03:00:00Z')).toBe(true);
    expect(await serving().takeOccurrence('hourly', '2026-01-02T03:00:00Z')).toBe(true);
    expect(await serving().takeOccurrence('nightly2026', '-01-02T03:00:00Z')).toBe(true);

    await world().reopen();
    expect(await serving().takeOccurrence('nightly', '2026-01-02T03:00:00Z')).toBe(false);
  });

  it('gives an occurrence to one of many who take it at once', async () => {
    const taken = await Promise.all(
      Array.from({ length: 50 }, () => serving().takeOccurrence('nightly', 'x'.repeat(10_000))),
    );

    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('remembers an occurrence for 30 days', async () => {
    await serving().takeOccurrence('nightly', 'a');
    await world().elapse(OCCURRENCE_MS - 1);
    expect(await serving().takeOccurrence('nightly', 'b')).toBe(true);
    expect(await serving().takeOccurrence('nightly', 'a')).toBe(false);

    await world().elapse(1);
    expect(await serving().takeOccurrence('nightly', 'c')).toBe(true);

    expect(await serving().takeOccurrence('nightly', 'a')).toBe(true);
    expect(await serving().takeOccurrence('nightly', 'b')).toBe(false);
  });

  it('gives a lead to one holder until its time is over', async () => {
    expect(await serving().lead('cron', 'one', 1000)).toBe(true);
    expect(await serving().lead('cron', 'two', 1000)).toBe(false);
    expect(await serving().lead('files', 'two', 1000)).toBe(true);
    await world().elapse(999);
    expect(await serving().lead('cron', 'two', 1000)).toBe(false);

    await world().elapse(1);

    expect(await serving().lead('cron', 'two', 1000)).toBe(true);
    expect(await serving().lead('cron', 'one', 1000)).toBe(false);
  });

  it('renews a lead for its holder, by its own clock', async () => {
    await serving().lead('cron', 'one', 1000);
    for (let n = 0; n < 3; n++) {
      await world().elapse(900);
      expect(await serving().lead('cron', 'one', 1000)).toBe(true);
    }
    await world().elapse(999);
    expect(await serving().lead('cron', 'two', 1000)).toBe(false);
  });

  it('hands a lead on at once when its holder yields it, and nobody else can', async () => {
    await serving().lead('cron', 'one', 60_000);
    await serving().yieldLead('cron', 'two');
    expect(await serving().lead('cron', 'two', 1000)).toBe(false);

    await serving().yieldLead('cron', 'one');
    await serving().yieldLead('cron', 'one');

    expect(await serving().lead('cron', 'two', 1000)).toBe(true);
  });

  it('gives a lead that is free to one of many', async () => {
    const holders = Array.from({ length: 20 }, (_, n) => `holder-${n}`);
    const won = await Promise.all(holders.map((holder) => serving().lead('cron', holder, 1000)));

    expect(won.filter(Boolean)).toHaveLength(1);
  });

  it('gives processes together what an account takes, by its own clock', async () => {
    const stated = { inFlight: 3, requestsPerMinute: null };
    const ask = (holder: string, inUse: number, waiting: number, heard: LimiterAsk['heard'] = []) =>
      serving().shareLimit('acme', { holder, inUse, waiting, heard, stated });

    const answers = await Promise.all([ask('one', 0, 2), ask('two', 0, 2), ask('three', 0, 2)]);
    expect(answers.reduce((sum, { granted }) => sum + granted, 0)).toBe(3);
    expect(
      (await serving().shareLimit('other', { holder: 'one', inUse: 0, waiting: 1, heard: [], stated })).granted,
    ).toBe(1);

    const refused = { type: 'refused', retryAfterMs: 7_000, ageMs: 0 } as const;
    expect(await ask('one', 0, 1, [refused])).toEqual({ granted: 0, reason: 'closed', retryInMs: 7_000 });
    await world().elapse(HOLDER_MS);
    expect((await ask('four', 0, 1)).granted).toBe(1);
  });
}
