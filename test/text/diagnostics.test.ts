import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/domain/diagnostic.js';
import { diagnosticJson } from '../../src/text/diagnostics/diagnostics-json.js';
import { renderDiagnostic, renderDiagnostics, summaryLine } from '../../src/text/diagnostics/diagnostics-pretty.js';

const PLAIN = { color: false, width: 100 };
const PATH = 'topologies/a.yaml';

/** A diagnostic that underlines the first occurrence of a text. */
function at(source: string, marked: string, more: Partial<Diagnostic> = {}): Diagnostic {
  const start = source.indexOf(marked);
  return {
    code: 'agent.unknown-archetype',
    severity: 'error',
    message: 'no archetype is called `greter`',
    path: PATH,
    pointer: '/agents/root/archetype',
    span: { path: PATH, start, end: start + marked.length },
    ...more,
  };
}

const render = (source: string, diagnostic: Diagnostic, options = PLAIN): readonly string[] =>
  renderDiagnostic(diagnostic, new Map([[PATH, source]]), options).split('\n');

describe('the pretty form', () => {
  test('shows no secret that another diagnostic of the same line hides', () => {
    const source = 'keys: [{ key_ref: a-literal-secret, colour: red }]\n';
    const diagnostics = [
      at(source, 'colour', {}),
      at(source, 'a-literal-secret', { hides: 'place' }),
      at(source, 'keys', {}),
    ];
    const rendered = renderDiagnostics(diagnostics, new Map([[PATH, source]]), PLAIN);
    expect(rendered).not.toContain('a-literal-secret');
    expect(rendered.match(/keys: \[\{ key_ref: \*\*\*/g)).toHaveLength(3);
  });

  test('looks at the part of a line that it shows, however long the line is and however many problems it has', () => {
    const source = `x: {${'key: 1,'.repeat(200_000)}}`;
    const diagnostics = Array.from({ length: 2_000 }, (_, n) => {
      const start = 4 + 7 * 100 * n;
      return { ...at(source, 'key'), span: { path: PATH, start: Math.min(start, 1_000_000), end: start + 3 } };
    });
    const rendered = renderDiagnostics(diagnostics, new Map([[PATH, source]]), PLAIN).split('\n');
    expect(rendered.filter((line) => line.startsWith('1 | ...') && line.endsWith('...'))).toHaveLength(1_999);
    expect(rendered.filter((line) => line.includes('^^^'))).toHaveLength(2_000);
    expect(Math.max(...rendered.map((line) => line.length))).toBeLessThanOrEqual(PLAIN.width);
  });

  test('shows code, sentence, place, the underlined line, related places and help', () => {
    const source = 'one: 1\n    archetype: greter # x\n';
    const other = 'metadata:\n  id: greeter\n';
    const diagnostic = at(source, 'greter', {
      label: 'not known',
      help: 'did you mean `greeter`?',
      related: [{ span: { path: 'archetypes/g.yaml', start: 16, end: 23 }, message: 'this one exists' }],
    });
    const sources = new Map([
      [PATH, source],
      ['archetypes/g.yaml', other],
    ]);

    expect(renderDiagnostic(diagnostic, sources, PLAIN)).toBe(
      [
        'error[agent.unknown-archetype]: no archetype is called `greter`',
        '  --> topologies/a.yaml:2:16',
        '  |',
        '2 |     archetype: greter # x',
        '  |                ^^^^^^ not known',
        '  ::: archetypes/g.yaml:2:7',
        '  |',
        '2 |   id: greeter',
        '  |       ------- this one exists',
        '  = help: did you mean `greeter`?',
      ].join('\n'),
    );
  });

  test('names the file alone when there is no place', () => {
    const { span: _span, ...diagnostic } = at('x', 'x');

    expect(render('x', { ...diagnostic, path: '.' })).toEqual([
      'error[agent.unknown-archetype]: no archetype is called `greter`',
      '  --> .',
    ]);
  });

  test('marks one column for an empty place, and the first line of a long one', () => {
    const source = 'a:\nb:\n  c: 1\n';

    expect(render(source, { ...at(source, 'a:'), span: { path: PATH, start: 2, end: 2 } }).at(-1)).toBe('  |   ^');
    expect(
      render(source, { ...at(source, 'b:'), span: { path: PATH, start: 3, end: source.length } }).slice(-2),
    ).toEqual(['2 | b:', '  | ^^']);
  });

  test.each([
    ['tabs', 'k:\tvalue', '1 | k:    value', '  |       ^^^^^'],
    ['wide characters', '漢字: value', '1 | 漢字: value', '  |       ^^^^^'],
    ['emoji of several code points', '👩‍👩‍👧: value', '1 | 👩‍👩‍👧: value', '  |     ^^^^^'],
    ['combining marks', 'e\u0301: value', '1 | e\u0301: value', '  |    ^^^^^'],
  ])('underlines the right columns behind %s', (_name, source, line, mark) => {
    expect(render(source, at(source, 'value')).slice(-2)).toEqual([line, mark]);
  });

  test('lets no control character of a file reach the terminal', () => {
    const source = 'k: \u001b[31mred\u0007\u202e value';
    const lines = render(source, at(source, 'value', { message: 'found \u001b]0;x\u0007', path: 'a\u001b[2Jb' }));

    expect(lines.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test('cuts a long line around the place, inside the width', () => {
    const source = `${'x'.repeat(500)}HERE${'y'.repeat(500)}`;
    const [, , , line = '', mark = ''] = render(source, at(source, 'HERE'), { color: false, width: 60 });

    expect(line.length).toBeLessThanOrEqual(60);
    expect(line.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1)).toBe('HERE');
    expect(line).toMatch(/\.\.\.x+HEREy+\.\.\.$/);
  });

  test('cuts a place that is longer than the width', () => {
    const source = 'z'.repeat(500);
    const lines = render(source, at(source, source), { color: false, width: 60 });

    expect(Math.max(...lines.slice(1).map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  test('colour adds nothing but colour', () => {
    const source = 'archetype: greter\n';
    const diagnostic = at(source, 'greter', { help: 'h', label: 'l' });
    const colored = render(source, diagnostic, { color: true, width: 100 }).join('\n');

    expect(colored).toContain('\u001b[1;31m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is what is removed
    expect(colored.replaceAll(/\u001b\[[0-9;]*m/g, '')).toBe(render(source, diagnostic).join('\n'));
  });

  test('puts an empty line between two, and counts them', () => {
    const source = 'a: b\n';
    const both = [at(source, 'a'), at(source, 'b', { severity: 'warning' })];

    expect(renderDiagnostics(both, new Map([[PATH, source]]), PLAIN).split('\n\n')).toHaveLength(2);
    expect(summaryLine(both)).toBe('1 error and 1 warning in 1 file');
    expect(summaryLine([...both, { ...at(source, 'a'), path: 'other' }])).toBe('2 errors and 1 warning in 2 files');
  });
});

describe('the JSON form', () => {
  test('is one flat object with lines and columns from 1', () => {
    const source = 'one: 1\r\nname: greter\r\n';

    expect(diagnosticJson(at(source, 'greter', { rule: 'enum', help: 'h' }), new Map([[PATH, source]]))).toEqual({
      type: 'validate.error',
      severity: 'error',
      code: 'agent.unknown-archetype',
      message: 'no archetype is called `greter`',
      artifact_path: PATH,
      yaml_pointer: '/agents/root/archetype',
      place: { line: 2, column: 7, end_line: 2, end_column: 13 },
      rule: 'enum',
      suggestion: 'h',
      related: [],
    });
  });

  test('says null where there is no place', () => {
    expect(diagnosticJson(at('x', 'x', { severity: 'warning' }), new Map())).toMatchObject({
      type: 'validate.warning',
      place: null,
      rule: null,
      suggestion: null,
    });
  });
});
