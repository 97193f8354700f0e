import { describe, expect, test } from 'vitest';
import { parseSource } from '../../../src/compile/parse/parse-source.js';

const parse = (text: string, path = 'skills/a.yaml') => parseSource({ path, text });

/** The text that the first diagnostic underlines, with its line. */
function firstProblem(text: string, path?: string) {
  const { parsed, diagnostics } = parse(text, path);
  const [first] = diagnostics;
  return {
    isRefused: parsed === null,
    code: first?.code,
    pointer: first?.pointer,
    message: first?.message,
    marked: text.slice(first?.span?.start ?? 0, first?.span?.end ?? 0),
    count: diagnostics.length,
  };
}

describe('parsing', () => {
  test('reads a YAML mapping as plain JSON', () => {
    const { parsed, diagnostics } = parse('a: 1\nb: [x, true, null]\nc: { d: 2.5 }\n');

    expect(diagnostics).toEqual([]);
    expect(parsed?.value).toEqual({ a: 1, b: ['x', true, null], c: { d: 2.5 } });
  });

  test('keeps off, yes and unquoted dates as text', () => {
    expect(parse('a: off\nb: yes\nc: 2026-01-31\n').parsed?.value).toEqual({ a: 'off', b: 'yes', c: '2026-01-31' });
  });

  test('reads numeric keys as they are written', () => {
    expect(parse('0: ok\n007: agent\n').parsed?.value).toEqual({ '0': 'ok', '007': 'agent' });
  });

  test('says one mistake once, however often aliases lead to it', () => {
    const levels = Array.from(
      { length: 6 },
      (_, n) =>
        `a${n}: &a${n} [${Array.from({ length: 9 }, () => (n === 0 ? '{ k: 1, k: 2 }' : `*a${n - 1}`)).join(', ')}]`,
    );

    expect(parse(`${levels.join('\n')}\n`).diagnostics.length).toBeLessThan(12);
    expect(parse(`${levels.slice(1).join('\n')}\n`).diagnostics).toHaveLength(9);
  });

  test('takes an alias for the last anchor of its name that stands before it', () => {
    expect(parse('a: &x 1\nb: *x\nc: &x 2\nd: *x\ne: [&y { k: &x 3 }, *x, *y]\n').parsed?.value).toEqual({
      a: 1,
      b: 1,
      c: 2,
      d: 2,
      e: [{ k: 3 }, 3, { k: 3 }],
    });
  });

  test('writes aliases out', () => {
    expect(parse('a: &x [1, 2]\nb: *x\n').parsed?.value).toEqual({ a: [1, 2], b: [1, 2] });
  });

  test('ignores a byte order mark and keeps the places true', () => {
    const text = '\uFEFFname: x\n';
    const { parsed } = parse(text);

    expect(parsed?.value).toEqual({ name: 'x' });
    const span = parsed?.spanOf('/name');
    expect(text.slice(span?.start, span?.end)).toBe('x');
  });

  test('takes __proto__ for a key like any other', () => {
    const { parsed } = parse('__proto__: { polluted: true }\n');

    expect(Object.keys(parsed?.value ?? {})).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('reads JSON that is indented with tabs', () => {
    const text = '{\n\t"a": "x\\ty",\n\t"b": [1]\n}\n';
    const { parsed, diagnostics } = parse(text, 'skills/a.json');

    expect(diagnostics).toEqual([]);
    expect(parsed?.value).toEqual({ a: 'x\ty', b: [1] });
    const span = parsed?.keySpanOf('/b');
    expect(text.slice(span?.start, span?.end)).toBe('"b"');
  });
});

describe('what the parser refuses', () => {
  test('a broken line, with its number and one report', () => {
    const found = firstProblem('a: 1\nb: [1,\nc: 2\nd: "x\n');

    expect(found).toMatchObject({ isRefused: true, code: 'workspace.yaml-parse', count: 1 });
    expect(found.pointer).toMatch(/^\/<line \d+>$/);
  });

  test('a key that is given twice, pointing at both', () => {
    const text = 'a: 1\nb: 2\na: 3\n';
    const { diagnostics } = parse(text);

    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      message: 'the key `a` is given twice',
      pointer: '/<line 3>',
      span: { start: 10, end: 11 },
    });
    expect(diagnostics[0]?.related).toEqual([
      { span: { path: 'skills/a.yaml', start: 0, end: 1 }, message: 'first given here' },
    ]);
  });

  test('every duplicate of the file, not the first alone', () => {
    expect(parse('a: 1\na: 2\nb: { c: 1, c: 2 }\n').diagnostics).toHaveLength(2);
  });

  test('a second document', () => {
    expect(firstProblem('a: 1\n---\nb: 2\n')).toMatchObject({
      isRefused: true,
      message: 'the file holds more than one document',
    });
  });

  test.each([
    ['an empty file', ''],
    ['a file of comments', '# nothing\n'],
    ['a list', '- a\n- b\n'],
    ['a single value', 'hello\n'],
    ['null', 'null\n'],
  ])('%s, as malformed', (_name, text) => {
    expect(firstProblem(text)).toMatchObject({ isRefused: true, code: 'workspace.malformed', pointer: '' });
  });

  test('a letter that is not UTF-8, where it stands', () => {
    const text = Buffer.from('a: 1\nb: Antworte f\xfcr Kunden\n', 'latin1').toString('utf8');
    expect(firstProblem(text)).toMatchObject({
      isRefused: true,
      message: 'a letter here is not UTF-8',
      marked: '\ufffd',
    });
    expect(parse(text).diagnostics[0]?.pointer).toBe('/<line 2>');
  });

  test('but not one that is written as an escape', () => {
    expect(parse('a: "\\uFFFD"\n').diagnostics).toEqual([]);
  });

  test('an alias that leads into itself', () => {
    expect(firstProblem('a: &x { b: *x }\n')).toMatchObject({
      isRefused: true,
      message: 'the alias `x` leads into itself',
      marked: '*x',
    });
  });

  test('an alias of nothing', () => {
    expect(firstProblem('a: *gone\n')).toMatchObject({ isRefused: true, code: 'workspace.yaml-parse' });
  });

  test('aliases of aliases in a long file without walking it once for each', () => {
    const levels = Array.from(
      { length: 5 },
      (_, n) => `a${n}: &a${n} [${Array.from({ length: 9 }, () => (n === 0 ? 'x' : `*a${n - 1}`)).join(', ')}]`,
    );
    const long = `[${'1, '.repeat(20_000)}1]`;
    // 66,000 walks over 20,000 nodes would take minutes.
    const { parsed, diagnostics } = parse(`long: ${long}\n${levels.join('\n')}\n`);

    expect(diagnostics).toEqual([]);
    expect(JSON.stringify(parsed?.value.a4)).toHaveLength(JSON.stringify(parsed?.value.a3).length * 9 + 10);
  });

  test('aliases that grow beyond bounds', () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(', ')}]`,
    );
    const text = `l0: &l0 [x, x, x, x, x, x, x, x, x]\n${levels.join('\n')}\n`;

    expect(firstProblem(text)).toMatchObject({
      isRefused: true,
      message: 'the aliases of the file grow beyond bounds',
    });
  });

  test.each([
    ['brackets', '['.repeat(20_000)],
    ['mappings', `${Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')} 1\n`],
  ])('nesting without end (%s), without ending itself', (_name, text) => {
    expect(firstProblem(text)).toMatchObject({ isRefused: true, code: 'workspace.yaml-parse' });
  });

  test.each([
    ['a merge key', 'a: &x { b: 1 }\nc:\n  <<: *x\n', 'merge keys are not part of YAML 1.2', '<<'],
    ['a number that is not finite', 'a: .inf\n', 'the number is not finite', '.inf'],
    ['an unknown tag', 'a: !secret x\n', 'the tag is not known', '!secret'],
    ['a mapping as key', '? { a: 1 }\n: 2\n', 'the key is not text', '{ a: 1 }'],
    ['a tab as indentation', 'a:\n\tb: 1\n', 'a tab indents this line', '\t'],
  ])('%s', (_name, text, message, marked) => {
    expect(firstProblem(text)).toMatchObject({ isRefused: true, message, marked });
  });

  test.each([
    ['a comment', '{ "a": 1 } // x'],
    ['bare words', '{ a: yes }'],
    ['a trailing comma', '{ "a": 1, }'],
    ['YAML', 'a: 1\n'],
    ['half a file', '{ "a": '],
  ])('%s in a .json file', (_name, text) => {
    expect(firstProblem(text, 'skills/a.json')).toMatchObject({
      isRefused: true,
      code: 'workspace.yaml-parse',
      count: 1,
    });
  });

  test('a key that a JSON file gives twice, which JSON parsers let pass', () => {
    expect(firstProblem('{ "a": 1, "a": 2 }', 'skills/a.json')).toMatchObject({
      message: 'the key `a` is given twice',
    });
  });
});

describe('places', () => {
  const text =
    'metadata:\n  id: x\n  "a/b": 1\nlist:\n  - name: first\n  - name: second\nblock: |\n  one\n  two\nempty:\nshared: &s { deep: 7 }\nuse: *s\n';
  const { parsed } = parse(text);
  const at = (span: { start: number; end: number } | undefined) => text.slice(span?.start, span?.end);

  test('lead to values, through lists, escapes and aliases', () => {
    expect(at(parsed?.spanOf('/metadata/id'))).toBe('x');
    expect(at(parsed?.spanOf('/metadata/a~1b'))).toBe('1');
    expect(at(parsed?.spanOf('/list/1/name'))).toBe('second');
    expect(at(parsed?.spanOf('/use/deep'))).toBe('7');
  });

  test('lead to keys; to the item where a list has none', () => {
    expect(at(parsed?.keySpanOf('/metadata/a~1b'))).toBe('"a/b"');
    expect(at(parsed?.keySpanOf('/list/0'))).toBe('name: first');
    expect(at(parsed?.keySpanOf(''))).toBe(text.trimEnd());
  });

  test('fall back to the nearest ancestor that exists', () => {
    expect(at(parsed?.spanOf('/metadata/id/deeper'))).toBe('x');
    expect(at(parsed?.spanOf('/list/9/name'))).toContain('- name: first');
    expect(at(parsed?.spanOf('/nowhere'))).toBe(text.trimEnd());
  });

  test('end with the last character of a block', () => {
    expect(at(parsed?.spanOf('/block'))).toBe('|\n  one\n  two');
  });
});
