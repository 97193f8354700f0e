import { randomFrom } from '../../src/lib/seeded.js';

/** A source of chance that a seed repeats. */
export interface Random {
  /** 0 <= x < 1. */
  next(): number;
  /** `from` <= n <= `to`, whole. */
  between(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  const next = randomFrom(seed);
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
  };
}
