import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { editDocument, newDocument } from '../../../src/compile/edit/edit-document.js';
import { parseSource } from '../../../src/compile/parse/parse-source.js';
import type { Json, JsonObject } from '../../../src/domain/json.js';

const read = (text: string, path = 'a.yaml'): JsonObject => parseSource({ path, text }).parsed?.value ?? {};
const edit = (text: string, content: JsonObject, path = 'a.yaml'): string | null =>
  editDocument({ path, text }, content);

/** The same tree with one member set (or removed: undefined) at a path. */
function having(value: Json, path: readonly (string | number)[], leaf: Json | undefined): Json {
  const [head, ...rest] = path;
  if (head === undefined) return leaf ?? null;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    if (rest.length === 0 && leaf === undefined) return items.filter((_, at) => at !== head);
    if (head === items.length) return [...items, leaf ?? null];
    return items.map((item, at) => (at === head ? having(item, rest, leaf) : item));
  }
  const object = value as JsonObject;
  if (rest.length === 0 && leaf === undefined)
    return Object.fromEntries(Object.entries(object).filter(([key]) => key !== head));
  return { ...object, [head]: having(object[head] ?? null, rest, leaf) };
}

const FILE = `# yaml-language-server: $schema=x
apiVersion: kit/v1   # the version
kind: Topology

metadata:
    name: "demo"    # its name
    # a line of its own
    description: |  # block
      first
      second

    tags: [a,  b]   # in brackets
    empty:

agents:
- id: root  # the first
  role: root
  # behind the role

- id: 'worker'
  prompt: >-
    folded
    text
  limits: { steps: 3, cost: 1.5 }
-
  id: last
tail: q # end
# the last word
`;

/** Each row: what changes, and the lines that differ afterwards (removed with -, new with +). */
const ROWS: readonly (readonly [string, readonly (string | number)[], Json | undefined, readonly string[]])[] = [
  [
    'a plain value keeps its comment and the gap before it',
    ['apiVersion'],
    'kit/v2',
    ['-apiVersion: kit/v1   # the version', '+apiVersion: kit/v2   # the version'],
  ],
  [
    'a quoted value keeps its quotes',
    ['metadata', 'name'],
    'other',
    ['-    name: "demo"    # its name', '+    name: "other"    # its name'],
  ],
  ['a value that needs quotes gets them', ['tail'], 'a: b', ['-tail: q # end', '+tail: "a: b" # end']],
  [
    'a value becomes a mapping and its comment stays on the line of the key',
    ['tail'],
    { a: 1 },
    ['-tail: q # end', '+tail: # end', '+  a: 1'],
  ],
  [
    'a value becomes a text of several lines and its comment stays',
    ['tail'],
    'x\ny\n',
    ['-tail: q # end', '+tail: | # end', '+  x', '+  y'],
  ],
  [
    'a block text becomes another, with its comment',
    ['metadata', 'description'],
    'new\ntext\n',
    ['-      first', '-      second', '+      new', '+      text'],
  ],
  [
    'a block text becomes one line',
    ['metadata', 'description'],
    'one',
    ['-    description: |  # block', '-      first', '-      second', '+    description: one  # block'],
  ],
  ['an empty value is filled', ['metadata', 'empty'], 5, ['-    empty:', '+    empty: 5']],
  [
    'a list in brackets changes one item in place',
    ['metadata', 'tags', 1],
    'c, d',
    ['-    tags: [a,  b]   # in brackets', '+    tags: [a,  "c, d"]   # in brackets'],
  ],
  [
    'a list in brackets grows on its line',
    ['metadata', 'tags', 2],
    'c',
    ['-    tags: [a,  b]   # in brackets', '+    tags: [a, b, c]   # in brackets'],
  ],
  [
    'a mapping in brackets changes one value',
    ['agents', 1, 'limits', 'steps'],
    9,
    ['-  limits: { steps: 3, cost: 1.5 }', '+  limits: { steps: 9, cost: 1.5 }'],
  ],
  [
    'a mapping in brackets grows on its line',
    ['agents', 1, 'limits', 'x'],
    true,
    ['-  limits: { steps: 3, cost: 1.5 }', '+  limits: { steps: 3, cost: 1.5, x: true }'],
  ],
  [
    'a member is added with the indentation of its siblings',
    ['metadata', 'more'],
    { deep: [1] },
    ['+    more:', '+      deep:', '+      - 1'],
  ],
  ['a member is added to the document behind its last line', ['extra'], ['x'], ['+extra:', '+- x']],
  ['a member goes with its line', ['metadata', 'name'], undefined, ['-    name: "demo"    # its name']],
  [
    'a block text goes with its lines',
    ['metadata', 'description'],
    undefined,
    ['-    description: |  # block', '-      first', '-      second'],
  ],
  [
    'a mapping goes as a whole',
    ['metadata'],
    undefined,
    [
      '-metadata:',
      '-    name: "demo"    # its name',
      '-    # a line of its own',
      '-    description: |  # block',
      '-      first',
      '-      second',
      '-    tags: [a,  b]   # in brackets',
      '-    empty:',
      '-',
    ],
  ],
  [
    'an item is added behind the others',
    ['agents', 3],
    { id: 'new', role: 'worker' },
    ['+- id: new', '+  role: worker'],
  ],
  [
    'an item goes and the comments around it stay',
    ['agents', 1],
    undefined,
    ["-- id: 'worker'", '-  prompt: >-', '-    folded', '-    text', '-  limits: { steps: 3, cost: 1.5 }'],
  ],
  [
    'the first member of an item goes and the next moves up beside the dash',
    ['agents', 0, 'id'],
    undefined,
    ['-- id: root  # the first', '-  role: root', '+- role: root'],
  ],
  ['a member of an item is added behind its last one', ['agents', 0, 'archetype'], 'lead', ['+  archetype: lead']],
  ['an item becomes a plain value', ['agents', 2], 'text', ['--', '-  id: last', '+- text']],
  [
    'a list becomes empty',
    ['agents'],
    [],
    [
      '-agents:',
      ...FILE.split('\n')
        .slice(15, 26)
        .map((line) => `-${line}`),
      '+agents: []',
    ],
  ],
];

/** Lines that a longest common row leaves over. */
function changed(before: string, after: string): readonly string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (rows[i] as number[])[j] = a[i] === b[j] ? 1 + at(i + 1, j + 1) : Math.max(at(i + 1, j), at(i, j + 1));
  const out: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) [i, j] = [i + 1, j + 1];
    else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) out.push(`-${a[i++]}`);
    else out.push(`+${b[j++]}`);
  }
  return out.toSorted((x, y) => (x[0] === y[0] ? 0 : x[0] === '-' ? -1 : 1));
}

describe('editing a document in place', () => {
  it.each(ROWS)('%s', (_name, path, leaf, lines) => {
    const content = having(read(FILE), path, leaf) as JsonObject;
    const after = edit(FILE, content) ?? '';
    expect(changed(FILE, after)).toEqual(lines);
    expect(read(after)).toEqual(content);
  });

  it.each(ROWS)('with CRLF and a byte order mark: %s', (_name, path, leaf, lines) => {
    const text = `\uFEFF${FILE.replaceAll('\n', '\r\n')}`;
    const after = edit(text, having(read(text), path, leaf) as JsonObject) ?? '';
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(after.startsWith('\uFEFF#')).toBe(true);
    expect(changed(FILE, after.slice(1).replaceAll('\r\n', '\n'))).toEqual(lines);
  });

  it('a file that already says it stays byte for byte', () => {
    expect(edit(FILE, read(FILE))).toBe(FILE);
  });

  it('a last line without a line break gets a neighbour and keeps none', () => {
    expect(edit('a: 1\nb: [x]', { a: 1, b: ['x'], c: 2 })).toBe('a: 1\nb: [x]\nc: 2');
  });

  it('an alias is written out where its value differs, and the anchor stays', () => {
    expect(edit('a: &x { n: 1 }\nb: *x\n', { a: { n: 1 }, b: { n: 2 } })).toBe('a: &x { n: 1 }\nb:\n  n: 2\n');
  });

  it('a change of what an alias repeats elsewhere is refused rather than made twice', () => {
    expect(edit('a: &x { n: 1 }\nb: *x\n', { a: { n: 2 }, b: { n: 1 } })).toBeNull();
  });

  it.each([
    [
      '{"a": 1,\n    "b": {"c": []}}\n',
      { b: { c: [2] }, a: 1 },
      '{\n    "a": 1,\n    "b": {\n        "c": [\n            2\n        ]\n    }\n}\n',
    ],
    ['{"a":1}', { a: 2 }, '{"a":2}'],
    ['{\r\n\t"a": 1\r\n}', { a: 2 }, '{\r\n\t"a": 2\r\n}'],
  ])('JSON stays JSON with its indentation and order: %j', (text, content, expected) => {
    expect(edit(text, content, 'a.json')).toBe(expected);
  });

  it('a new document says what it was made from, as YAML and as JSON', () => {
    const content = { apiVersion: 'kit/v1', text: 'a\nb\n', list: [{ a: null }] };
    expect(read(newDocument('a.yaml', content))).toEqual(content);
    expect(read(newDocument('a.json', content), 'a.json')).toEqual(content);
  });

  it('any document becomes any other, and its own-line comments outside of what goes stay', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'id', 'x y', '1', '');
    const text = fc.constantFrom(
      '',
      'plain',
      ' lead',
      'a: b',
      '# no',
      'x\ny',
      'x\n\ny\n',
      '- d',
      'true',
      '0x1',
      'ü',
      '"q"',
      "it's",
      'a, [b]',
      '\ttab',
      'trail ',
    );
    const { tree } = fc.letrec<{ tree: Json; list: Json; map: Json }>((tie) => ({
      tree: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.boolean(), fc.constant(null), text, tie('list'), tie('map')),
      list: fc.array(tie('tree'), { maxLength: 3 }),
      map: fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    }));
    const document = fc.dictionary(key, tree, { minKeys: 1, maxKeys: 4 });
    let refused = 0;
    fc.assert(
      fc.property(document, document, fc.boolean(), (from, to, indentSeq) => {
        const before = `# head\n${stringify(from, { indentSeq })}# foot\n`;
        const after = edit(before, to as JsonObject);
        if (after === null) refused += 1;
        else {
          expect(read(after)).toEqual(to);
          expect(after.startsWith('# head\n')).toBe(true);
          expect(after.endsWith('# foot\n')).toBe(true);
        }
      }),
      { numRuns: 600, seed: 11 },
    );
    expect(refused).toBe(0);
  });
});
