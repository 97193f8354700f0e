import { describe, expect, it } from 'vitest';
import { createClock } from '../../src/system/clock.js';
import { FakeClock } from '../support/fake-clock.js';

describe('the real clock', () => {
  it('tells the time and sleeps at least as long as asked', async () => {
    const clock = createClock();
    const before = clock.now();

    await clock.sleep(30);

    expect(clock.now() - before).toBeGreaterThanOrEqual(29);
    const from = Date.now();
    const now = clock.now();
    expect([from, now, Date.now()].toSorted((a, b) => a - b)[1]).toBe(now);
  });

  it('rejects a sleep with the reason of the signal, before and while it sleeps', async () => {
    const clock = createClock();
    const abort = new AbortController();
    const reason = new Error('stop');
    const sleeping = clock.sleep(60_000, abort.signal);

    abort.abort(reason);

    await expect(sleeping).rejects.toBe(reason);
    await expect(clock.sleep(60_000, abort.signal)).rejects.toBe(reason);
  });

  it('does not take a sleep of a month for one of no time', async () => {
    const abort = new AbortController();
    const sleeping = createClock().sleep(31 * 24 * 3_600_000, abort.signal);
    const first = await Promise.race([
      sleeping.then(() => 'woke'),
      createClock()
        .sleep(50)
        .then(() => 'still asleep'),
    ]);
    abort.abort(new Error('over'));

    expect(first).toBe('still asleep');
    await expect(sleeping).rejects.toThrow('over');
  });
});

describe('what the real clock tells later', () => {
  it('is told once its time has come, and not where it was called off', async () => {
    const clock = createClock();
    const reported: string[] = [];
    const off = clock.later?.(5, () => reported.push('called off'));
    off?.();

    await new Promise<void>((resolve) => clock.later?.(20, resolve));

    expect(reported).toEqual([]);
  });

  it('is not told of a month at once', async () => {
    const clock = createClock();
    const reported: string[] = [];
    const off = clock.later?.(31 * 24 * 3_600_000, () => reported.push('a month'));

    await clock.sleep(20);

    expect(reported).toEqual([]);
    off?.();
  });
});

describe('the fake clock', () => {
  it('wakes sleepers in the order they are due, also those that a woken one starts', async () => {
    const clock = new FakeClock(1_000);
    const woken: string[] = [];
    const sleep = async (name: string, ms: number): Promise<void> => {
      await clock.sleep(ms);
      woken.push(`${name}@${clock.now()}`);
    };
    void sleep('late', 50);
    void sleep('early', 10).then(() => sleep('after early', 20));

    await clock.advance(29);
    expect(woken).toEqual(['early@1010']);
    await clock.advance(21);

    expect(woken).toEqual(['early@1010', 'after early@1030', 'late@1050']);
    expect(clock.now()).toBe(1_050);
    expect(clock.sleeping).toBe(0);
  });

  it('forgets a sleep that was aborted', async () => {
    const clock = new FakeClock();
    const abort = new AbortController();
    const sleeping = clock.sleep(10, abort.signal);

    abort.abort(new Error('stop'));

    await expect(sleeping).rejects.toThrow('stop');
    expect(clock.sleeping).toBe(0);
  });
});
