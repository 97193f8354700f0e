import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnar } from '../../../src/engine/compress/columnar.js';

/**
 * Reads the layout back: an object of just `columns` and `rows`, both lists, is a table, and
 * nothing else is.
 */
function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const { columns, rows } = value as { columns?: unknown; rows?: unknown };
  if (members.length === 2 && Array.isArray(columns) && Array.isArray(rows)) {
    return rows.map((row: unknown[]) =>
      Object.fromEntries(columns.map((column: string, index) => [column, decode(row[index])])),
    );
  }
  return Object.fromEntries(members.map(([key, member]) => [key, decode(member)]));
}

const texts = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('columns', 'rows', '__proto__', 'a:b', '"', '\\', '\\"', '1', 'ü😀'),
);
const scalars = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  texts,
);

/**
 * Values made of tables: rows of one key set, of nearly one, tables in cells, tables in objects,
 * and what looks like a table already.
 */
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    scalars,
    tie('list'),
    tie('members'),
    tie('table'),
    tie('nearTable'),
    tie('lookalike'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  members: fc.dictionary(texts, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  table: fc.uniqueArray(texts, { minLength: 1, maxLength: 4 }).chain((keys) =>
    fc.array(
      fc
        .tuple(...keys.map(() => tie('value')))
        .map((cells) => Object.fromEntries(keys.map((key, at) => [key, cells[at]]))),
      {
        minLength: 2,
        maxLength: 5,
      },
    ),
  ),
  nearTable: fc.array(fc.dictionary(fc.constantFrom('a', 'b'), scalars, { noNullPrototype: true }), {
    minLength: 3,
    maxLength: 5,
  }),
  lookalike: fc.record({ columns: tie('value'), rows: tie('value') }, { noNullPrototype: true }),
})).value;

/** What a text says, each number as the text of its digits. */
function exactly(text: string): unknown {
  let marked = '';
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    marked += /^[-0-9]/.test(token) ? `{"digits":"${token}"}` : token;
    at = end;
  }
  return JSON.parse(marked);
}

/** Of a string, of a number, or of one other character. */
function endOfToken(text: string, start: number): number {
  let at = start + 1;
  if (text[start] === '"') {
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    return at + 1;
  }
  if (/[-0-9]/.test(text.charAt(start))) while (/[-+.eE0-9]/.test(text.charAt(at))) at += 1;
  return at;
}

/**
 * V8 takes an escaped key for another one that objects of this process went on with before, where
 * both begin with the same characters as they are written (nodejs/node#63785): a quote for a
 * backslash. Nobody can read such a text there.
 */
const isReadRight = (text: string): boolean =>
  [0, 2].some((indent) => JSON.stringify(JSON.parse(text), null, indent) === text);

test('every value can be read back from what is taken, and what is left alone says why', () => {
  const seen = { taken: 0, nested: 0, left: new Set<string>() };
  fc.assert(
    fc.property(values, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      fc.pre(isReadRight(text));

      const made = columnar(text);

      if (made.taken) {
        fc.pre(isReadRight(made.text));
        seen.taken += 1;
        if (made.text.split('"columns":').length > 2) seen.nested += 1;
        expect(decode(JSON.parse(made.text))).toEqual(JSON.parse(text));
        expect(decode(exactly(made.text))).toEqual(exactly(text));
      } else seen.left.add(made.why);
    }),
    { numRuns: 1000, seed: 7 },
  );
  // The generator reaches each branch: a property over values that are never taken would say
  // nothing.
  expect(seen.taken).toBeGreaterThan(60);
  expect(seen.nested).toBeGreaterThan(5);
  expect([...seen.left]).toEqual(expect.arrayContaining(['no_table', 'looks_encoded']));
});

describe('what it takes', () => {
  test('a table becomes its columns and its rows, without white space', () => {
    const rows = [1, 2, 3].map((id) => ({ id, name: `n${id}` }));

    expect(columnar(JSON.stringify(rows, null, 2))).toEqual({
      taken: true,
      text: '{"columns":["id","name"],"rows":[[1,"n1"],[2,"n2"],[3,"n3"]]}',
    });
  });

  test('rows may name their keys in another order, and tables lie in objects and in cells', () => {
    const inner = [{ x: 1 }, { x: 2 }, { x: null }];
    const value = {
      total: 3,
      items: [
        { a: inner, b: 1 },
        { b: 2, a: [] },
        { a: [{ x: 1 }], b: 3 },
      ],
    };

    const made = columnar(JSON.stringify(value));

    expect(made).toEqual({
      taken: true,
      text: '{"total":3,"items":{"columns":["a","b"],"rows":[[{"columns":["x"],"rows":[[1],[2],[null]]},1],[[],2],[[{"x":1}],3]]}}',
    });
  });

  test('numbers keep the digits that they were written with', () => {
    const text = '[{"a":12345678901234567890},{"a":1.10},{"a":1e400},{"a":-0},{"a":0.1}]';

    expect(columnar(text)).toEqual({
      taken: true,
      text: '{"columns":["a"],"rows":[[12345678901234567890],[1.10],[1e400],[-0],[0.1]]}',
    });
  });

  test('text of other languages stays readable', () => {
    expect(columnar('[{"a":"\\u00fc"},{"a":"字"},{"a":"😀"}]')).toEqual({
      taken: true,
      text: '{"columns":["a"],"rows":[["ü"],["字"],["😀"]]}',
    });
  });

  test('counts of columns and rows are not a table', () => {
    expect(columnar('{"size":{"columns":3,"rows":4},"t":[{"a":1},{"a":2},{"a":3}]}')).toMatchObject({ taken: true });
  });
});

test.each([
  ['no_json', 'three rows follow: [{"a":1}]'],
  ['no_json', ''],
  ['no_table', '[{"a":1},{"a":2}]'],
  ['no_table', '[{"a":1},{"a":2},{"a":3,"b":null}]'],
  ['no_table', '[{"a":1},{"a":2},{"b":3}]'],
  ['no_table', '[{"a":1},{"a":2},null]'],
  ['no_table', '[[1],[2],[3]]'],
  ['no_table', '[{},{},{}]'],
  ['no_table', '"a text"'],
  ['looks_encoded', '{"columns":["a"],"rows":[[1],[2],[3]]}'],
  ['looks_encoded', '[{"columns":[],"rows":[]},{"columns":[],"rows":[]},{"columns":[],"rows":[]}]'],
  ['looks_encoded', '{"deep":[{"x":{"rows":[],"columns":[]}}],"t":[{"a":1},{"a":2},{"a":3}]}'],
  ['duplicate_keys', '[{"a":1,"a":2},{"a":3},{"a":4}]'],
  ['duplicate_keys', '{"t":[{"a":1},{"a":2},{"a":3}],"t":[]}'],
  ['too_deep', `{"t":[{"a":1},{"a":2},{"a":3}],"x":${'['.repeat(300)}${']'.repeat(300)}}`],
  ['too_deep', `[1.5,${'['.repeat(200_000)}${']'.repeat(200_000)}]`],
])('%s: left alone', (why, text) => {
  expect(columnar(text)).toEqual({ taken: false, why });
});
