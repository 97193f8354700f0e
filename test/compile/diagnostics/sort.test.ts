import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasErrors, sortDiagnostics } from '../../../src/compile/diagnostics/sort.js';
import type { Diagnostic, Severity } from '../../../src/domain/diagnostic.js';

const diagnostic = (path: string, start: number | null, code = 'a.b', severity: Severity = 'error'): Diagnostic => ({
  code,
  severity,
  message: 'm',
  path,
  pointer: '',
  ...(start === null ? {} : { span: { path, start, end: start } }),
});

test('sorts by file, then place, then code; what has no place comes first', () => {
  const sorted = sortDiagnostics([
    diagnostic('b', 0),
    diagnostic('a', 9),
    diagnostic('a', 2, 'z.z'),
    diagnostic('a', 2, 'c.c'),
    diagnostic('a', null),
  ]);

  expect(sorted.map(({ path, span, code }) => [path, span?.start ?? null, code])).toEqual([
    ['a', null, 'a.b'],
    ['a', 2, 'c.c'],
    ['a', 2, 'z.z'],
    ['a', 9, 'a.b'],
    ['b', 0, 'a.b'],
  ]);
});

test('gives the same order whatever the order before', () => {
  const all = ['a', 'b', 'c'].flatMap((path) => [0, 3, 7].map((start) => diagnostic(path, start)));

  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
      expect(sortDiagnostics(shuffled)).toEqual(all);
    }),
    { seed: 7, numRuns: 50 },
  );
});

test('warnings alone are not errors', () => {
  expect([hasErrors([]), hasErrors([diagnostic('a', 0, 'a.b', 'warning')]), hasErrors([diagnostic('a', 0)])]).toEqual([
    false,
    false,
    true,
  ]);
});
