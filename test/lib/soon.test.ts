import { expect, it } from 'vitest';
import { goThrough, inTurn, onceKnown } from '../../src/lib/soon.js';

function* sumOf(steps: number): Generator<number, number, unknown> {
  let sum = 0;
  for (let step = 1; step <= steps; step += 1) sum += Number(yield step);
  return sum;
}

it('goes on at once with what is at hand, and later with what is on its way', async () => {
  expect(onceKnown(1, (value) => value + 1)).toBe(2);
  await expect(onceKnown(Promise.resolve(1), (value) => value + 1)).resolves.toBe(2);
});

it('goes through steps that yield nothing at once, and through others with an answer to each', async () => {
  const asked: number[] = [];
  const twice = (step: number): Promise<number> => {
    asked.push(step);
    return Promise.resolve(step * 2);
  };

  expect(goThrough(sumOf(0), twice)).toBe(0);
  expect(asked).toEqual([]);
  await expect(goThrough(sumOf(3), twice)).resolves.toBe(12);
  expect(asked).toEqual([1, 2, 3]);
});

it('ends steps with what an answer rejects with, and asks for no further one', async () => {
  const asked: number[] = [];
  const failing = async (step: number): Promise<number> => {
    asked.push(step);
    if (step === 2) throw new Error('no');
    return step;
  };

  await expect(goThrough(sumOf(3), failing)).rejects.toThrow('no');
  expect(asked).toEqual([1, 2]);
});

it('does something with each in turn, at once until one has to be waited for', async () => {
  const done: number[] = [];
  const late = Promise.withResolvers<void>();
  const act = (item: number): Promise<void> | undefined => {
    done.push(item);
    return item === 2 ? late.promise : undefined;
  };

  expect(inTurn([1, 3], act)).toBeUndefined();
  const waited = inTurn([1, 2, 3], act);
  expect(done).toEqual([1, 3, 1, 2]);
  late.resolve();
  await waited;
  expect(done).toEqual([1, 3, 1, 2, 3]);
});

it('begins nothing behind what fails', async () => {
  const done: number[] = [];
  const act = async (item: number): Promise<void> => {
    done.push(item);
    if (item === 2) throw new Error('no');
  };

  await expect(inTurn([1, 2, 3], act)).rejects.toThrow('no');
  expect(done).toEqual([1, 2]);
});
