import { describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/triggers/src/cron.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { Firing, TriggerType } from '../../../src/domain/ports/triggers.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { TestClock } from '../../../src/testing/test-clock.js';
import { SettableClock } from '../../support/settable-clock.js';

const HOUR_MS = 3_600_000;

async function open(
  config: JsonObject,
  start: string,
  clock: TestClock | SettableClock = new TestClock(Date.parse(start)),
) {
  const warnings: string[] = [];
  const log = {
    debug: () => {},
    info: () => {},
    warn: (text: string) => void warnings.push(text),
    error: (text: string) => void warnings.push(text),
  };
  const type: TriggerType = await contribution.create(config, createTestContext({ clock, log }));
  const fired: Firing[] = [];
  const stop = new AbortController();
  await type.start?.({
    triggerId: 'nightly',
    workspaceRoot: '/w',
    signal: stop.signal,
    fire: async (firing) => void fired.push(firing),
  });
  return { type, clock, fired, stop, warnings };
}

describe('a cron trigger', () => {
  it('fires at its times and names each by its instant', async () => {
    const { clock, fired } = await open({ expression: '0 6 * * *', timezone: 'Europe/Berlin' }, '2026-03-28T04:00:00Z');
    await clock.advance(26 * HOUR_MS);
    expect(fired).toEqual([
      { input: 'trigger:nightly', occurrence: '2026-03-28T05:00:00.000Z' },
      { input: 'trigger:nightly', occurrence: '2026-03-29T04:00:00.000Z' },
    ]);
  });

  it('fires once in the hour that is repeated, and once for the hour that is not', async () => {
    const autumn = await open({ expression: '30 2 * * *', timezone: 'Europe/Berlin' }, '2026-10-24T23:00:00Z');
    await autumn.clock.advance(4 * HOUR_MS);
    expect(autumn.fired.map(({ occurrence }) => occurrence)).toEqual(['2026-10-25T00:30:00.000Z']);
    const spring = await open({ expression: '30 2 * * *', timezone: 'Europe/Berlin' }, '2026-03-28T23:00:00Z');
    await spring.clock.advance(4 * HOUR_MS);
    expect(spring.fired.map(({ occurrence }) => occurrence)).toEqual(['2026-03-29T01:00:00.000Z']);
  });

  it('goes by the clock of now once it was set back, each time once', async () => {
    const clock = new SettableClock(Date.parse('2036-01-01T00:30:00Z'));
    const { fired } = await open({ expression: '0 * * * *' }, '', clock);
    await clock.advance(HOUR_MS);
    clock.set(Date.parse('2026-01-01T00:30:00Z') - clock.now());
    await clock.advance(HOUR_MS);
    expect(fired.map(({ occurrence }) => occurrence)).toEqual(['2036-01-01T01:00:00.000Z', '2026-01-01T01:00:00.000Z']);
  });

  it('gives the input that its file names, JSON as it is', async () => {
    const { clock, fired } = await open({ expression: '0 * * * *', input: { scope: ['all'] } }, '2026-01-01T00:30:00Z');
    await clock.advance(HOUR_MS);
    expect(fired).toEqual([{ input: { scope: ['all'] }, occurrence: '2026-01-01T01:00:00.000Z' }]);
  });

  it('takes the zone for UTC when none is written', async () => {
    const { type } = await open({ expression: '0 6 * * *' }, '2026-01-01T00:00:00Z');
    expect(await type.nextFireAt?.()).toBe('2026-01-01T06:00:00.000Z');
  });

  it('makes up for no time that passed while the machine slept', async () => {
    const { clock, fired, warnings } = await open({ expression: '0 * * * *' }, '2026-01-01T00:30:00Z');
    const jumped = clock as unknown as { sleep: TestClock['sleep']; now: TestClock['now'] };
    const now = clock.now.bind(clock);
    let asleepMs = 0;
    jumped.now = () => now() + asleepMs;
    asleepMs = 3 * HOUR_MS; // timers did not run meanwhile
    await clock.advance(HOUR_MS);
    expect(warnings).toEqual(['a time of a cron trigger was missed']);
    expect(fired.map(({ occurrence }) => occurrence)).toEqual(['2026-01-01T04:00:00.000Z']);
  });

  it('stops with its signal and leaves no timer', async () => {
    const { clock, fired, stop } = await open({ expression: '* * * * *' }, '2026-01-01T00:00:30Z');
    await clock.advance(60_000);
    stop.abort();
    await clock.advance(600_000);
    expect(fired).toHaveLength(1);
    expect(clock.sleeping).toBe(0);
  });

  it('is not held up by a start that takes long', async () => {
    const clock = new TestClock(Date.parse('2026-01-01T00:00:30Z'));
    const type = await contribution.create({ expression: '* * * * *' }, createTestContext({ clock }));
    let count = 0;
    const signal = new AbortController();
    const fire = (): Promise<void> => {
      count += 1;
      return new Promise(() => {});
    };
    await type.start?.({ triggerId: 't', workspaceRoot: '/w', signal: signal.signal, fire });
    await clock.advance(180_000);
    signal.abort();
    expect(count).toBe(3);
  });

  it('is inactive when its time never comes, and refused when it is not an expression', async () => {
    const { type } = await open({ expression: '0 0 31 2 *' }, '2026-01-01T00:00:00Z');
    expect(await type.ready({ workspaceRoot: '/w' })).toContain('never comes');
    expect(await type.nextFireAt?.()).toBeNull();
    await expect(open({ expression: 'often' }, '2026-01-01T00:00:00Z')).rejects.toMatchObject({
      code: 'KIT_PLUGIN_CONFIG_INVALID',
    });
  });
});
