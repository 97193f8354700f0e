import { expect, it } from 'vitest';
import { lazily } from '../../src/lib/lazily.js';

interface Counter {
  next(by: number): Promise<number>;
}

it('opens a group once, when a member is first called, and members are the same at every look', async () => {
  let opened = 0;
  const group = lazily<Counter>(async () => {
    opened += 1;
    return { next: async (by) => by + opened };
  });
  expect(opened).toBe(0);
  expect(group.next).toBe(group.next);
  expect([await group.next(1), await group.next(2)]).toEqual([2, 3]);
  expect(opened).toBe(1);
});

it('opens again what could not be opened', async () => {
  let tries = 0;
  const group = lazily<Counter>(async () => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return { next: async (by) => by };
  });
  await expect(group.next(1)).rejects.toThrow('not yet');
  expect(await group.next(1)).toBe(1);
});

it('is not a promise, and refuses to be spread: a copy would have no member', async () => {
  const group = lazily<Counter>(async () => ({ next: async (by) => by }));
  expect(await group).toBe(group);
  expect(() => ({ ...group })).toThrow('cannot be listed or spread');
});
