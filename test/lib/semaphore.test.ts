import { expect, it } from 'vitest';
import { createSemaphore } from '../../src/lib/semaphore.js';

it('lets as many in as it has room for, in order, and the next when one leaves or fails', async () => {
  const semaphore = createSemaphore(2);
  const tasks = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const entered: number[] = [];
  const all = tasks.map((task, n) =>
    semaphore(() => {
      entered.push(n);
      return task.promise;
    }),
  );
  const settled = Promise.allSettled(all);

  await expect.poll(() => entered).toEqual([0, 1]);
  tasks[1]?.reject(new Error('failed'));
  await expect.poll(() => entered).toEqual([0, 1, 2]);
  for (const [n, task] of tasks.entries()) task.resolve(n);

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
