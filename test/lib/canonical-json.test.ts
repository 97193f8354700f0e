import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/lib/canonical-json.js';

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)]),
  );
};

describe('canonicalJson', () => {
  it('gives the same text whatever the order of members', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => canonicalJson(shuffled(value)) === canonicalJson(value)));
  });

  it('writes a flat record the same, whether its names stand in their order or not', () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    );
    const flat = fc.dictionary(fc.string(), scalar, { maxKeys: 8 });
    fc.assert(
      fc.property(flat, (record) => {
        const names = Object.keys(record).sort();
        const inOrder = Object.fromEntries(names.map((name) => [name, record[name]]));
        const text = `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(record[name])}`).join(',')}}`;
        expect([canonicalJson(record), canonicalJson(inOrder), canonicalJson(shuffled(record))]).toEqual([
          text,
          text,
          text,
        ]);
      }),
    );
  });

  it('takes what an object holds, whatever JSON makes of it', () => {
    expect(canonicalJson({ at: new Date(0), n: -0 })).toBe('{"at":{},"n":0}');
    expect(canonicalJson(new Date(0))).toBe('{}');
    expect(() => canonicalJson({ a: 1, b: Number.POSITIVE_INFINITY })).toThrow(TypeError);
    expect(canonicalJson({ a: 1, b: undefined })).toBe('{"a":1}');
  });

  it('parses back to the value it was given', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('tells different values apart', () => {
    expect(canonicalJson({ a: 1, b: '2' })).not.toBe(canonicalJson({ a: '1', b: 2 }));
    expect(canonicalJson([1, [2]])).not.toBe(canonicalJson([[1], 2]));
  });

  it('leaves out undefined members and refuses what JSON cannot hold', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
    expect(() => canonicalJson({ a: Number.NaN })).toThrow(TypeError);
    expect(() => canonicalJson([1n])).toThrow(TypeError);
  });
});
