import { expect, it, vi } from 'vitest';
import { createSessionLife } from '../../../src/app/runs/session-life.js';

const life = () => {
  const end = vi.fn(async () => undefined);
  return { ...createSessionLife(end), end };
};

it('ends a session that is replaced, at once where nobody uses it', () => {
  const { retire, end } = life();
  expect(end).not.toHaveBeenCalled();

  retire();

  expect(end).toHaveBeenCalledTimes(1);
});

it('ends it with the last of its users, and never while it serves', async () => {
  const { use, hold, retire, end } = life();
  const letGo = use();
  const answer = Promise.withResolvers<string>();
  const held = hold(() => answer.promise);
  retire();
  letGo();
  expect(end).not.toHaveBeenCalled();

  answer.resolve('done');

  expect(await held).toBe('done');
  expect(end).toHaveBeenCalledTimes(1);
  const { use: useServing, end: endServing } = life();
  useServing()();
  expect(endServing).not.toHaveBeenCalled();
});

it('lets go of it where the work fails, and gives the failure on', async () => {
  const { hold, retire, end } = life();
  const failing = hold(() => Promise.reject(new Error('no answer')));
  retire();

  await expect(failing).rejects.toThrow('no answer');
  expect(end).toHaveBeenCalledTimes(1);
});
