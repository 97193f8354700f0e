import { describe, expect, it } from 'vitest';
import { LATER, settledSoon } from '../../src/lib/settled-soon.js';

const through = async <T>(value: T, functions: number): Promise<T> => {
  if (functions === 0) return value;
  return through(value, functions - 1);
};

describe('what settles soon', () => {
  it('gives the value of a promise that waits for nothing', async () => {
    expect(await settledSoon(Promise.resolve(7))).toBe(7);
  });

  it('gives a value that comes through several functions', async () => {
    expect(await settledSoon(through('deep', 6))).toBe('deep');
  });

  it('rejects as the promise does', async () => {
    await expect(settledSoon(Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('says LATER for a promise that waits for a turn of the event loop, and leaves it to the caller', async () => {
    const waiting = new Promise((resolve) => setImmediate(resolve, 'done'));

    expect(await settledSoon(waiting)).toBe(LATER);
    expect(await waiting).toBe('done');
  });

  it('says LATER for one that never settles', async () => {
    expect(await settledSoon(new Promise(() => {}))).toBe(LATER);
  });
});
