import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/domain/ports/system.js';
import { clockWarning, storeAheadMs } from '../../src/lib/clock-off.js';
import { createClock } from '../../src/system/clock.js';
import { lawfulWorlds } from '../engine/laws.js';
import { agent, call } from '../support/run-world.js';

describe('how far the clock of the store is ahead', () => {
  const at = (ms: number): string => new Date(ms).toISOString();

  it.each([
    ['agrees where the claim lies between question and answer', at(1_500), 0],
    ['agrees in the millisecond before, which the store cut off', at(999), 0],
    ['is the least that it must be, ahead', at(9_000), 7_000],
    ['is the least that it must be, behind', at(400), -600],
    ['is nothing where the store tells no time', null, 0],
  ])('%s', (_what, claimedAt, expected) => {
    expect(storeAheadMs(claimedAt, { askedAtMs: 1_000, answeredAtMs: 2_000 })).toBe(expected);
  });

  it('is told from two seconds on, by who is behind whom', () => {
    expect(clockWarning(1_999)).toBeNull();
    expect(clockWarning(-1_999)).toBeNull();
    expect(clockWarning(2_500)).toMatch(/^the clock of this machine is 2\.5 s behind the store's/);
    expect(clockWarning(-7_200_000)).toMatch(/^the clock of this machine is 7200\.0 s ahead of the store's/);
  });
});

describe('a run on a machine whose clock is wrong', () => {
  const open = lawfulWorlds();
  const HOURS_MS = 2 * 3_600_000;
  const off = (byMs: number): Clock => {
    const real = createClock();
    return { ...real, now: () => real.now() + byMs };
  };

  it.each([
    ['ahead', HOURS_MS],
    ['behind', -HOURS_MS],
  ])('is told by the clock of the store, step by step and event by event: %s', async (_word, byMs) => {
    const clock = off(byMs);
    const warned: string[] = [];
    const askedAtMs = clock.now();
    // A claim tells the difference as well as its answer was quick.
    const nearMs = 60_000;
    const world = await open({
      // No process: who supervises one looks at the real clock.
      root: agent('root', { role: 'root', children: [agent('helper')] }),
      script: ({ agent: id, turn }) =>
        id === 'root' && turn === 0 ? [call('delegate_to_helper', { task: 'x' })] : 'done',
      clock,
      storeClock: createClock(),
      log: { warn: (text) => warned.push(text) },
    });

    expect(await world.run({ askedAtMs })).toMatchObject({ kind: 'ended', end: { status: 'completed' } });

    const rows = await world.stores.runs.load(world.job.id);
    const events = (await world.events()).filter(({ stepKey }) => stepKey !== null);
    const times = [
      ...rows.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt ?? '']),
      ...events.map(({ timestamp }) => timestamp),
    ].map((text) => Date.parse(text));
    expect(times.length).toBeGreaterThan(8);
    const rightMs = Date.now();
    for (const time of times) expect(Math.abs(time - rightMs)).toBeLessThan(nearMs);
    // What took a moment is not said to have taken hours.
    for (const { payload } of events)
      if ('duration_ms' in payload) expect(Number(payload.duration_ms)).toBeLessThan(HOURS_MS / 2);
    expect(warned).toEqual([expect.stringContaining(`${byMs > 0 ? 'ahead of' : 'behind'} the store's`)]);
  });
});
