import { expect, it } from 'vitest';
import { createSemaphore } from '../../src/lib/semaphore.js';

it('lets as many in as it has room for, in order, and the next when one leaves or fails', async () => {
  const semaphore = createSemaphore(2);
  const doors = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const entered: number[] = [];
  const all = doors.map((door, n) =>
    semaphore(() => {
      entered.push(n);
      return door.promise;
    }),
  );
  const settled = Promise.allSettled(all);

  await expect.poll(() => entered).toEqual([0, 1]);
  doors[1]?.reject(new Error('failed'));
  await expect.poll(() => entered).toEqual([0, 1, 2]);
  for (const [n, door] of doors.entries()) door.resolve(n);

  expect((await settled).map((result) => result.status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(entered).toEqual([0, 1, 2, 3, 4]);
  expect(await semaphore(async () => 'later')).toBe('later');
});
