import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/lib/nearest.js';

/** Edit distance with adjacent swaps as it is defined, without any short cut. */
function plainDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_row, i) =>
    Array.from({ length: b.length + 1 }, (_cell, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? at(i - 2, j - 2) + 1
          : Number.POSITIVE_INFINITY;
      const row = table[i];
      if (row !== undefined)
        row[j] = Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
          swapped,
        );
    }
  }
  return at(a.length, b.length);
}

const WORD = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), maxLength: 9 });

describe('the likely word', () => {
  it.each([
    ['vlaidate', ['run', 'validate'], 'validate'],
    ['greter', ['greeter', 'host'], 'greeter'],
    ['archetype-root', ['archetype-1', 'archetype-2'], null],
    ['x', ['run'], null],
    ['run', [], null],
  ])('of %s among %j is %s', (word, known, meant) => {
    expect(nearest(word, known)).toBe(meant);
  });

  it('is the nearest of all that are near enough, and the first of equals', () => {
    fc.assert(
      fc.property(WORD, fc.array(WORD, { maxLength: 6 }), (word, known) => {
        const limit = Math.min(3, Math.max(1, Math.floor(word.length / 3)));
        const near = known
          .map((candidate) => ({ candidate, far: plainDistance(word, candidate) }))
          .filter(({ far }) => far <= limit);
        const least = Math.min(...near.map(({ far }) => far));
        const best = near.filter(({ far }) => far === least).map(({ candidate }) => candidate);

        expect(nearest(word, known)).toBe(best[0] ?? null);
        expect(nearest(word, known, { isOrdered: false })).toBe(best.toSorted()[0] ?? null);
      }),
      { numRuns: 2_000, seed: 5 },
    );
  });
});
