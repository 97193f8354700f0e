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
  const { hold, retire, end } = life();
  const [first, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const over = hold(() => first.promise);
  const held = hold(() => answer.promise);
  retire();
  first.resolve();
  await over;
  expect(end).not.toHaveBeenCalled();

  answer.resolve('done');

  expect(await held).toBe('done');
  expect(end).toHaveBeenCalledTimes(1);
  const { hold: holdServing, end: endServing } = life();
  await holdServing(async () => undefined);
  expect(endServing).not.toHaveBeenCalled();
});

it('lets go of it where the work fails, and gives the failure on', async () => {
  const { hold, retire, end } = life();
  const failing = hold(() => Promise.reject(new Error('no answer')));
  retire();

  await expect(failing).rejects.toThrow('no answer');
  expect(end).toHaveBeenCalledTimes(1);
});
