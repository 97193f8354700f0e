import fc from 'fast-check';
import { expect, it } from 'vitest';
import { holdsMoreValues } from '../../../plugins/serve/src/server/json-structure.js';

/** Commas and opening brackets outside of strings, counted the slow way. */
function structureOf(text: string): number {
  return (text.replaceAll(/"(?:\\.|[^"\\])*"/g, '').match(/[,[{]/g) ?? []).length;
}

it('counts what stands outside of strings, whatever stands inside of them', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const count = structureOf(text);
      expect(holdsMoreValues(Buffer.from(text), count)).toBe(false);
      if (count > 0) expect(holdsMoreValues(Buffer.from(text), count - 1)).toBe(true);
    }),
    { seed: 7, numRuns: 2000 },
  );
});

it('is not misled by quotes and backslashes', () => {
  for (const text of ['["\\\\",1]', '["\\"[[[[",1]', '{"a\\\\\\"b":[1,2]}']) {
    const count = structureOf(text);
    expect([text, holdsMoreValues(Buffer.from(text), count), holdsMoreValues(Buffer.from(text), count - 1)]).toEqual([
      text,
      false,
      true,
    ]);
  }
});

it('ends at a string that never ends', () => {
  expect(holdsMoreValues(Buffer.from(`["${'[,'.repeat(1000)}`), 1)).toBe(false);
});
