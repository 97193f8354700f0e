import { describe, expect, test } from 'vitest';
import { loadJsonSchemas } from '../../../../src/lib/json-schema.js';

const DEPTH = 40;

/** Each definition refers twice to the next: 2^40 checks of one value. */
const multiplied = (last: object): object => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries([
    ...Array.from({ length: DEPTH }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` };
      return [`d${at}`, { allOf: [next, next] }];
    }),
    [`d${DEPTH}`, last],
  ]),
});

describe('a schema of somebody hostile', () => {
  test.each([
    ['refers twice to each next definition', multiplied({ minLength: 3 })],
    ['does so, and has a pattern', multiplied({ pattern: '^a' })],
    ['leads to itself without end', { $dynamicAnchor: 'a', allOf: [{ $dynamicRef: '#a' }] }],
  ])('that %s is broken off, and the value does not fit', async (_, schema) => {
    const schemas = await loadJsonSchemas();

    expect(await schemas.judge(schema, 'abcd')).toMatchObject([{ rule: 'schema-timeout' }]);
    expect(await schemas.judge({ $ref: '#/$defs/a', $defs: { a: { minLength: 9 } } }, 'a')).toHaveLength(1);
    expect(await schemas.judge({ $ref: '#/$defs/a', $defs: { a: { minLength: 1 } } }, 'a')).toEqual([]);
  });
});
