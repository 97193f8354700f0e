import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeDifference, firstDifference } from '../../src/lib/first-difference.js';
import { atPointer } from '../../src/lib/json-pointer.js';

describe('firstDifference', () => {
  it.each([
    { what: 'equal values', left: { a: [1, { b: null }] }, right: { a: [1, { b: null }] }, found: null },
    { what: 'members in another order', left: { a: 1, b: 2 }, right: { b: 2, a: 1 }, found: null },
    { what: 'a member that is undefined and one that is absent', left: { a: undefined }, right: {}, found: null },
    { what: 'a leaf', left: { a: { b: 1 } }, right: { a: { b: 2 } }, found: { pointer: '/a/b', left: 1, right: 2 } },
    { what: 'a longer list', left: [1], right: [1, 2], found: { pointer: '/1', left: undefined, right: 2 } },
    {
      what: 'a member that only one has',
      left: { a: 1 },
      right: { a: 1, c: 2 },
      found: { pointer: '/c', left: undefined, right: 2 },
    },
    { what: 'a list and an object', left: [], right: {}, found: { pointer: '', left: [], right: {} } },
    {
      what: 'null and an object',
      left: { a: null },
      right: { a: {} },
      found: { pointer: '/a', left: null, right: {} },
    },
    {
      what: 'names with slashes and tildes',
      left: { 'a/b': { '~': 1 } },
      right: { 'a/b': { '~': 2 } },
      found: { pointer: '/a~1b/~0', left: 1, right: 2 },
    },
    {
      what: 'two places, in the order of the left',
      left: { z: 1, a: 1 },
      right: { a: 2, z: 2 },
      found: { pointer: '/z', left: 1, right: 2 },
    },
    {
      what: 'a member named __proto__',
      left: JSON.parse('{"__proto__":1}'),
      right: {},
      found: { pointer: '/__proto__', left: 1, right: undefined },
    },
  ])('finds $what', ({ left, right, found }) => {
    expect(firstDifference(left, right)).toEqual(found);
  });

  it('finds nothing exactly where JSON values are equal, and points at both sides otherwise', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const found = firstDifference(left, right);
        expect(firstDifference(left, structuredClone(left))).toBeNull();
        if (found === null) expect(JSON.parse(JSON.stringify(left))).toEqual(JSON.parse(JSON.stringify(right)));
        else
          expect([atPointer(left, found.pointer), atPointer(right, found.pointer)]).toEqual([found.left, found.right]);
      }),
    );
  });
});

describe('describeDifference', () => {
  const said = (left: unknown, right: unknown) => describeDifference({ pointer: '', left, right });

  it('shows long texts from just before the first character that differs, and both short', () => {
    const same = 'x'.repeat(500);
    const { left, right } = said(`${same}left${'y'.repeat(500)}`, `${same}right`);

    expect(left).toContain('xleft');
    expect(right).toBe(`…"${'x'.repeat(20)}right"`);
    expect(left.length).toBeLessThan(120);
  });

  it('calls what is not there nothing, and keeps a text that looks like it in quotes', () => {
    expect(said(undefined, 'nothing')).toEqual({ left: 'nothing', right: '"nothing"' });
  });

  it('cuts no character in half', () => {
    expect(said('😀'.repeat(100), 1).left.isWellFormed()).toBe(true);
    expect(said(`${'a'.repeat(19)}😀b😀c`, `${'a'.repeat(19)}😀b😀d`).left.isWellFormed()).toBe(true);
  });
});
