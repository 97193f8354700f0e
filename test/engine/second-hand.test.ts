import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/domain/ports/system.js';
import { inTime } from '../../src/engine/in-time.js';
import { ABORTED } from '../../src/engine/race-abort.js';
import { afterLimit, eachSecond } from '../../src/engine/second-hand.js';

/** A clock whose sleepers wake when they are told to. */
function heldClock() {
  const slept: number[] = [];
  const sleepers: { readonly wake: () => void; readonly signal: AbortSignal | undefined }[] = [];
  const clock: Clock = {
    now: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        slept.push(ms);
        sleepers.push({ wake: resolve, signal });
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const waiting = () => sleepers.filter(({ signal }) => signal?.aborted !== true).length;
  const strike = async (): Promise<void> => {
    for (const { wake } of sleepers.splice(0)) wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, slept, waiting, strike };
}

it('tells all who wait by one timer, until each is done', async () => {
  const { clock, waiting, strike } = heldClock();
  const reported: string[] = [];
  const unsubscribe = ['one', 'two', 'three'].map((name) => eachSecond(clock, () => reported.push(name)));
  expect(waiting()).toBe(1);

  await strike();
  expect(reported).toEqual(['one', 'two', 'three']);

  unsubscribe[1]?.();
  await strike();
  expect(reported.slice(3)).toEqual(['one', 'three']);
});

it('keeps no timer while nobody waits, and takes one again', async () => {
  const { clock, waiting, strike } = heldClock();
  const reported: string[] = [];
  const unsubscribe = eachSecond(clock, () => reported.push('one'));
  unsubscribe();
  unsubscribe();
  expect(waiting()).toBe(0);

  eachSecond(clock, () => reported.push('two'));
  expect(waiting()).toBe(1);
  await strike();
  expect(reported).toEqual(['two']);
});

describe('a limit', () => {
  it('of up to ten seconds is as exact as a timer', async () => {
    const { clock, slept, waiting, strike } = heldClock();
    const reported: number[] = [];
    for (const ms of [0, 50, 10_000]) afterLimit(clock, ms, () => reported.push(ms));
    expect(slept).toEqual([0, 50, 10_000]);

    await strike();
    expect(reported).toEqual([0, 50, 10_000]);
    expect(waiting()).toBe(0);
  });

  it.each([
    [10_001, 12],
    [60_000, 61],
  ])('of %i ms is over after %i strokes of the one timer, the first of which may come at once', async (ms, strokes) => {
    const { clock, slept, waiting, strike } = heldClock();
    const reported: number[] = [];
    for (let call = 0; call < 100; call += 1) afterLimit(clock, ms, () => reported.push(call));
    expect(waiting()).toBe(1);
    for (let done = 1; done < strokes; done += 1) await strike();
    expect(reported).toEqual([]);

    await strike();
    expect(reported).toHaveLength(100);
    expect(new Set(slept)).toEqual(new Set([1_000]));
    expect(waiting()).toBe(0);
  });

  it('that is taken back is never over', async () => {
    const { clock, waiting, strike } = heldClock();
    const reported: string[] = [];
    for (const ms of [50, 60_000]) afterLimit(clock, ms, () => reported.push('late'))();
    expect(waiting()).toBe(0);
    for (let done = 0; done < 62; done += 1) await strike();
    expect(reported).toEqual([]);
  });
});

describe('work within its time', () => {
  const limit = { ms: 60_000, late: () => new Error('late') };
  const held = () => {
    const run = new AbortController();
    const { clock, ...hand } = heldClock();
    const listening = () => getEventListeners(run.signal, 'abort').length;
    return { ...hand, run, listening, parts: { clock, signal: run.signal } };
  };

  it('takes no timer and no listener where the answer is at hand', async () => {
    const { parts, slept, listening } = held();
    expect(await inTime(parts, limit, async () => 'soon')).toBe('soon');
    await expect(inTime(parts, limit, async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(slept).toEqual([]);
    expect(listening()).toBe(0);
  });

  it('shares one timer among all calls, and leaves nothing behind', async () => {
    const { parts, slept, waiting, listening } = held();
    const later = () => new Promise<string>((resolve) => setImmediate(resolve, 'answer'));
    const answers = await Promise.all(Array.from({ length: 100 }, () => inTime(parts, limit, later)));
    expect(new Set(answers)).toEqual(new Set(['answer']));
    expect(slept).toEqual([1_000]);
    expect([waiting(), listening()]).toEqual([0, 0]);
  });

  it.each(['the time', 'the run'])('is left when %s is over, and told why', async (over) => {
    const { parts, run, waiting, listening, strike } = held();
    const seen: unknown[] = [];
    const deaf = (signal: AbortSignal) =>
      new Promise<string>((_, reject) => {
        signal.addEventListener('abort', () => {
          seen.push(signal.reason);
          // It fails for nobody.
          setImmediate(reject, new Error('too late'));
        });
      });
    const asked = inTime(parts, limit, deaf);
    await strike();
    if (over === 'the run') run.abort('the run ends');
    else for (let done = 0; done < 61; done += 1) await strike();
    expect(await asked).toBe(ABORTED);
    expect(seen).toEqual([over === 'the run' ? 'the run ends' : new Error('late')]);
    expect([waiting(), listening()]).toEqual([0, 0]);
    await strike();
  });

  it('is not waited for in a run that has ended', async () => {
    const { parts, run, waiting, listening } = held();
    run.abort('the run ends');
    expect(await inTime(parts, limit, () => new Promise(() => {}))).toBe(ABORTED);
    expect([waiting(), listening()]).toEqual([0, 0]);
  });
});
