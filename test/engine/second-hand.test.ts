import { expect, it } from 'vitest';
import type { Clock } from '../../src/domain/ports/system.js';
import { eachSecond } from '../../src/engine/second-hand.js';

/** A clock whose sleepers wake when they are told to. */
function heldClock() {
  const sleepers: { readonly wake: () => void; readonly signal: AbortSignal | undefined }[] = [];
  const clock: Clock = {
    now: () => 0,
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ wake: resolve, signal });
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const waiting = () => sleepers.filter(({ signal }) => signal?.aborted !== true).length;
  const strike = async (): Promise<void> => {
    for (const { wake } of sleepers.splice(0)) wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, waiting, strike };
}

it('tells all who wait by one timer, until each is done', async () => {
  const { clock, waiting, strike } = heldClock();
  const reported: string[] = [];
  const unsubscribe = ['one', 'two', 'three'].map((name) => eachSecond(clock, () => reported.push(name)));
  expect(waiting()).toBe(1);

  await strike();
  expect(reported).toEqual(['one', 'two', 'three']);

  unsubscribe[1]?.();
  await strike();
  expect(reported.slice(3)).toEqual(['one', 'three']);
});

it('keeps no timer while nobody waits, and takes one again', async () => {
  const { clock, waiting, strike } = heldClock();
  const reported: string[] = [];
  const unsubscribe = eachSecond(clock, () => reported.push('one'));
  unsubscribe();
  unsubscribe();
  expect(waiting()).toBe(0);

  eachSecond(clock, () => reported.push('two'));
  expect(waiting()).toBe(1);
  await strike();
  expect(reported).toEqual(['two']);
});
