import { describe, expect, it } from 'vitest';
import { WakeUp } from '../../src/worker/wake-up.js';

/** A wake-up over a store that commits when it is told to, and a clock that a test moves. */
function bench() {
  let nowMs = 1_000;
  const sleepers = new Set<{ readonly untilMs: number; readonly over: () => void }>();
  let commits = Promise.withResolvers<void>();
  const stop = new AbortController();
  const wakeUp = new WakeUp({
    jobs: { waitForWork: () => commits.promise },
    clock: {
      now: () => nowMs,
      sleep: (ms, signal) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        sleepers.add({ untilMs: nowMs + ms, over: resolve });
        signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        return promise;
      },
    },
    pollMs: 1_000,
    settleMs: 20,
    signal: stop.signal,
  });
  return {
    wakeUp,
    commit: async (error?: Error): Promise<void> => {
      const { resolve, reject } = commits;
      commits = Promise.withResolvers<void>();
      if (error === undefined) resolve();
      else reject(error);
      await turn();
    },
    elapse: async (ms: number): Promise<void> => {
      nowMs += ms;
      for (const one of sleepers) if (one.untilMs <= nowMs) one.over();
      await turn();
    },
    /** Waits, and tells whether it is over. */
    wait: (watchesStore = true) => {
      let isOver = false;
      const done = wakeUp.next({ watchesStore }).then(() => {
        isOver = true;
      });
      return { done, isOver: () => isOver };
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a loop that sleeps until there may be work', () => {
  it('looks at once at the first commit, however often it was called before', async () => {
    const { wakeUp, commit, wait } = bench();
    for (let times = 0; times < 3; times++) {
      const called = wait();
      wakeUp.now();
      await called.done;
    }

    const waiting = wait();
    await turn();
    expect(waiting.isOver()).toBe(false);
    await commit();

    expect(waiting.isOver()).toBe(true);
  });

  it('looks again after a commit that came while it was awake', async () => {
    const { wakeUp, commit, wait } = bench();
    const called = wait();
    wakeUp.now();
    await called.done;
    await commit();

    const waiting = wait();
    await turn();

    expect(waiting.isOver()).toBe(true);
  });

  it('makes one look of commits that come within the time they settle in', async () => {
    const { commit, elapse, wait } = bench();
    const first = wait();
    await commit();
    await first.done;

    const second = wait();
    await elapse(5);
    await commit();
    expect(second.isOver()).toBe(false);
    await elapse(14);
    expect(second.isOver()).toBe(false);
    await elapse(1);

    expect(second.isOver()).toBe(true);
  });

  it('tells once that the store cannot be watched, and watches it again', async () => {
    const { commit, wait } = bench();
    const refused = wait();
    const failed = expect(refused.done).rejects.toThrow('gone');
    await commit(new Error('gone'));
    await failed;

    const waiting = wait();
    await turn();
    expect(waiting.isOver()).toBe(false);
    await commit();

    expect(waiting.isOver()).toBe(true);
  });

  it('does not hear the store where nothing could be claimed, and looks after a poll', async () => {
    const { commit, elapse, wait } = bench();
    const waiting = wait(false);
    await commit();
    expect(waiting.isOver()).toBe(false);
    await elapse(1_000);

    expect(waiting.isOver()).toBe(true);
  });
});
