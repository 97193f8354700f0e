import { describe, expect, it } from 'vitest';
import { INSERT, queuedFile } from './queued-file.js';

describe('a group of the write queue', () => {
  const { other, commits, queueWith, add, stored } = queuedFile();

  it('commits at most 128 writes at a time and leaves the file to others in between', async () => {
    const pauses: number[] = [];
    const queue = queueWith({
      pacing: {
        nowMs: () => 0,
        sleep: async (ms) => {
          pauses.push(ms);
          other()
            .prepare(INSERT)
            .run({ v: `other ${pauses.length}` });
        },
      },
    });

    await Promise.all(Array.from({ length: 600 }, (_, n) => add(queue, `v${n}`)));
    await queue.close();

    expect(commits()).toBe(5);
    expect(pauses).toEqual([1, 1, 1, 1]);
    expect(stored()).toHaveLength(604);
  });

  it('commits what fills a group in the turn that fills it, once others have had theirs', async () => {
    let nowMs = 0;
    const queue = queueWith({ pacing: { nowMs: () => nowMs } });
    const addMany = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => add(queue, `v${from + n}`));

    const first = addMany(0, 127);
    expect(commits()).toBe(0);
    const second = addMany(127, 129);
    expect(commits()).toBe(1);
    nowMs = 1;
    const third = addMany(256, 1);
    expect(commits()).toBe(2);

    await Promise.all([...first, ...second, ...third]);
    expect(stored()).toHaveLength(257);
  });

  it('commits nothing where a full group was committed while others had their turn', async () => {
    let nowMs = 0;
    const later: Promise<string>[] = [];
    const addMany = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => add(queue, `v${from + n}`));
    const queue = queueWith({
      pacing: {
        nowMs: () => nowMs,
        sleep: async (ms) => {
          nowMs += ms;
          later.push(...addMany(129, 127));
        },
      },
    });

    await Promise.all(addMany(0, 129));
    await queue.close();
    await Promise.all(later);

    expect(commits()).toBe(2);
    expect(stored()).toHaveLength(256);
  });

  it('ends a group after 10 ms', async () => {
    let nowMs = 0;
    const queue = queueWith({ pacing: { nowMs: () => nowMs } });
    const slow = (v: string): Promise<void> =>
      queue.run(['event.append'], (sql) => {
        nowMs += 4;
        sql.run(INSERT, { v });
      });

    await Promise.all(['a', 'b', 'c', 'd', 'e'].map(slow));

    expect(commits()).toBe(2);
  });
});
