import { describe, expect, it } from 'vitest';
import { PromptRing, type RingWrite } from '../../../src/store/prompts/prompt-ring.js';
import { callOf } from '../../support/prompt-sample.js';

const BOUNDS = { count: 8, bytes: 10_000, ageMs: 1_000_000 };

/** A ring whose second passes when the test says so. */
function openRing() {
  const writes: (RingWrite & { readonly end: PromiseWithResolvers<void> })[] = [];
  const sleeps: (() => void)[] = [];
  let nowMs = 0;
  const ring = new PromptRing({
    write: (write) => {
      const end = Promise.withResolvers<void>();
      writes.push({ ...write, end });
      return end.promise;
    },
    pacing: {
      nowMs: () => nowMs,
      sleep: (_, signal) =>
        new Promise((resolve, reject) => {
          sleeps.push(resolve);
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    },
  }).bound(BOUNDS);
  return {
    ring,
    sleeps,
    writes,
    hold: (...keys: readonly number[]) => {
      for (const n of keys) ring.hold(callOf(n));
    },
    /** The keys of each write so far, and whether it trims. */
    told: () => writes.map(({ calls, trim }) => [calls.map(({ stepKey }) => stepKey.slice(6)).join(), trim !== null]),
    elapse: (ms: number) => {
      nowMs += ms;
    },
    /** A second is over for whoever waits for it. */
    second: async () => {
      nowMs += 1000;
      for (const wake of sleeps.splice(0)) wake();
      await settled();
    },
    /** The write that was handed in last is over. */
    written: async (error?: Error) => {
      const end = writes.at(-1)?.end;
      if (error === undefined) end?.resolve();
      else end?.reject(error);
      await settled();
    },
  };
}

/** Everything that waits for nothing outside has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('calls of models that are not written yet', () => {
  it('are written once a second, all of them in one write', async () => {
    const { hold, sleeps, second, told: reported, written } = openRing();
    hold(1, 2);
    hold(3);
    await settled();
    expect([reported(), sleeps]).toMatchObject([[], { length: 1 }]);

    await second();
    await written();
    expect([reported(), sleeps]).toMatchObject([[['1,2,3', true]], { length: 0 }]);
  });

  it('are handed in by a flush before it returns, and what comes meanwhile shares the next write', async () => {
    const { ring, hold, told: reported, written } = openRing();
    hold(1);
    const first = ring.flush();
    expect(reported()).toEqual([['1', true]]);

    hold(2);
    let isDone = false;
    const second = ring.flush().then(() => {
      isDone = true;
    });
    hold(3);
    await written();
    expect([reported().length, isDone]).toEqual([2, false]);
    expect(reported()[1]).toEqual(['2,3', true]);
    await written();
    await Promise.all([first, second]);
    await ring.flush();
    expect(reported()).toHaveLength(2);
  });

  it('go when there are too many of them, or too much of them, before anything is written', async () => {
    const { ring, hold, told: reported, written } = openRing();
    hold(...Array.from({ length: 12 }, (_, n) => n));
    ring.hold({ ...callOf(12), chars: 5_000 });
    ring.hold({ ...callOf(13), chars: 5_000 });
    void ring.flush();
    expect(reported()).toEqual([['12,13', true]]);
    await written();

    ring.hold({ ...callOf(14), chars: 50_000 });
    void ring.flush();
    expect(reported()[1]?.[0]).toBe('14');
  });

  it('are lost with a write that fails, for whoever flushes to hear of; the next ones are written', async () => {
    const { ring, hold, told: reported, written, second } = openRing();
    hold(1);
    const failed = expect(ring.flush()).rejects.toThrow('away');
    await written(new Error('away'));
    await failed;
    hold(2);
    await second();
    await written(new Error('away'));
    hold(3);
    await second();
    await written();

    expect(reported().map(([keys]) => keys)).toEqual(['1', '2', '3']);
  });

  it('know how much of their conversation was written, once it was', async () => {
    const { ring, hold, writes, written } = openRing();
    hold(1);
    const call = callOf(2);
    ring.hold(call);
    ring.flush().catch(() => undefined);
    expect(writes[0]?.written(call.conversation)).toBeUndefined();
    await written(new Error('away'));
    expect(writes[0]?.written(call.conversation)).toBeUndefined();

    ring.hold(call);
    ring.flush().catch(() => undefined);
    await written();
    expect(writes[0]?.written(call.conversation)).toBe(1);
  });
});

describe('the end of a run', () => {
  it('writes at once, and waits for the next second where a quarter of the ring was written in this one', async () => {
    const { ring, hold, told: reported, written, second, elapse } = openRing();
    const end = async (...keys: readonly number[]) => {
      hold(...keys);
      const ended = ring.runEnded();
      await written();
      await ended;
    };
    await end(1);
    elapse(400);
    await end(2);
    for (const n of [3, 4, 5, 6]) await end(n);
    expect(reported().map(([keys]) => keys)).toEqual(['1', '2']);

    await second();
    await written();
    await end(7);
    elapse(1000);
    await end(8);
    expect(reported().map(([keys]) => keys)).toEqual(['1', '2', '3,4,5,6', '7,8']);
  });

  it('leaves nothing unwritten when the store is closed, or looked into', async () => {
    const { ring, hold, told: reported, written } = openRing();
    hold(1, 2);
    void ring.runEnded();
    await written();
    hold(3);
    await ring.runEnded();
    expect(reported()).toHaveLength(1);
    void ring.flush();
    await written();
    hold(4);
    await ring.runEnded();
    const closed = ring.close();
    await written();
    await closed;
    expect(reported().map(([keys]) => keys)).toEqual(['1,2', '3', '4']);
  });
});

describe('the trimming of the store', () => {
  it('comes with the first write, then after a quarter of the number, else once a second', async () => {
    const { ring, hold, told: reported, written, second, sleeps, elapse } = openRing();
    const write = async (...keys: readonly number[]) => {
      hold(...keys);
      void ring.flush();
      await written();
    };
    await write(1);
    await write(2);
    await write(3);
    await write(4);
    elapse(1000);
    await write(5);
    expect(reported().map(([, trims]) => trims)).toEqual([true, false, true, false, true]);

    await write(6);
    await second();
    await written();
    expect(reported().at(-1)).toEqual(['', true]);
    await second();
    expect([reported().length, sleeps.length]).toEqual([7, 0]);
  });

  it('comes at the end for what was not trimmed, and nothing is written after it', async () => {
    const { ring, hold, told: reported, written, second } = openRing();
    hold(1);
    void ring.flush();
    await written();
    hold(2);
    void ring.flush();
    await written();
    const closed = ring.close();
    await settled();
    await written();
    await closed;
    await second();
    expect(reported()).toEqual([
      ['1', true],
      ['2', false],
      ['', true],
    ]);
  });

  it('is part of the last write where calls are held at the end', async () => {
    const { ring, hold, told: reported, written } = openRing();
    hold(1);
    void ring.flush();
    await written();
    hold(2);
    const closed = ring.close();
    await settled();
    await written();
    await closed;
    expect(reported()).toEqual([
      ['1', true],
      ['2', true],
    ]);
  });
});
