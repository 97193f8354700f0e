import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsName } from '../../src/lib/fits-name.js';

test.each([
  ['fetch', 'fetch', true],
  ['fetch', 'fetch-all', false],
  ['', '', true],
  ['*', '', true],
  ['*', 'anything', true],
  ['get-*', 'get-rows', true],
  ['get-*', 'forget-rows', false],
  ['*-rows', 'get-rows', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-b-b-d', false],
  ['get-?', 'get-1', true],
  ['get-?', 'get-', false],
  ['?', '', false],
  ['a.b', 'axb', false],
  ['**', 'x', true],
])('%s fits %s: %s', (pattern, name, fits) => {
  expect(fitsName(pattern, name)).toBe(fits);
});

test('it agrees with a regular expression of the same meaning', () => {
  const piece = fc.constantFrom('a', 'b', '*', '?');
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 7 }), name, (pattern, text) => {
      const expression = new RegExp(
        `^${pattern.map((part) => (part === '*' ? '.*' : part === '?' ? '.' : part)).join('')}$`,
      );
      expect(fitsName(pattern.join(''), text)).toBe(expression.test(text));
    }),
    { numRuns: 2000 },
  );
});

test('a pattern of many stars takes no longer than the name is long', () => {
  // Two thousand letters for each of two hundred stars; as a pattern of backtracking it never ends.
  expect(fitsName(`${'*a'.repeat(200)}b`, 'a'.repeat(2000))).toBe(false);
});
