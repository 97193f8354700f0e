import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { projectRoot } from '../support/kit-process.js';

const SETTINGS = ['biome.json', '.oxlintrc.json', '.gitignore', 'tsconfig.base.json', 'tsconfig.test.json'];

/** A comment line, or a statement with its comment, as long as is asked for. */
const filled = (start: string, columns: number): string => start.padEnd(columns - 1, ' word').concat('.');

/** What the lint of the project says of a tree of these files. */
function lint(files: Readonly<Record<string, string>>, largerFiles: Readonly<Record<string, number>> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'kit-lint-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of SETTINGS) cpSync(join(projectRoot, name), join(root, name));
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'), 'junction');
  const all = { ...files, 'scripts/lib/larger-files.json': `${JSON.stringify(largerFiles)}\n` };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  spawnSync('git', ['init', '--quiet'], { cwd: root });
  const script = join(projectRoot, 'scripts', 'lint.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--root', root], { encoding: 'utf8' });
  const places = `${stdout}${stderr}`
    .split('\n')
    .filter((line) => line.startsWith('src/') || line.startsWith('scripts/'));
  return { code: status, phases: stdout.match(/^(ok {2}|FAIL) \S+/gm), places };
}

const CLEAN = `${filled('//', 100)}
export async function pick(kind: 'one' | 'two'): Promise<void> {
  switch (kind) {
    case 'one':
      await Promise.resolve(kind);
      return;
    case 'two':
  }
}
`;

it('accepts what keeps the rules', () => {
  expect(lint({ 'src/clean.ts': CLEAN })).toEqual({
    code: 0,
    phases: ['ok   lint:style', 'ok   lint:types', 'ok   lint:layout'],
    places: [],
  });
});

it.each([
  ['a floating promise', CLEAN.replace('await Promise', 'Promise'), 'src/planted.ts:5:7: Promises must be awaited'],
  [
    'a promise where nobody waits for one',
    'export const each = (all: readonly string[]): void => all.forEach(async () => {});\n',
    'src/planted.ts:1:76: Promise returned in function argument',
  ],
  ['a missing case', CLEAN.replace("    case 'two':\n", ''), 'src/planted.ts:3:11: Switch is not exhaustive'],
])('refuses %s', (_fault, text, said) => {
  const { code, phases, places } = lint({ 'src/planted.ts': text });

  expect(code).toBe(1);
  expect(phases).toContain('FAIL lint:types');
  expect(places).toEqual([expect.stringContaining(said)]);
});

it('refuses long comments and long lines, and leaves what cannot be cut', () => {
  const { phases, places } = lint({
    'src/planted.ts': [
      filled('//', 101),
      '/**',
      filled(' * A', 101),
      ' */',
      `export const cut = 1; ${filled('//', 110)}`,
      filled('// biome-ignore-all lint/style/noDefaultExport: a', 120),
      `export const uncut = '${filled('// a string', 120)}';`,
      'export const nested = `${',
      filled('  // A', 101),
      '  uncut',
      `}\n${filled('// a text', 101)}\`;`,
      '',
    ].join('\n'),
  });

  expect(phases).toContain('FAIL lint:layout');
  expect(places.filter((place) => place.includes('columns'))).toEqual([
    'src/planted.ts:1: a comment of 101 columns; wrap it at 100',
    'src/planted.ts:3: a comment of 101 columns; wrap it at 100',
    'src/planted.ts:5: a line of 132 columns; at most 120',
    'src/planted.ts:9: a comment of 101 columns; wrap it at 100',
  ]);
});

it('lets a file of the list of larger files only shrink', () => {
  const lines = (count: number): string => '// A line.\n'.repeat(count);

  const { phases, places } = lint(
    {
      'src/fits.ts': lines(250),
      'src/grown.ts': lines(251),
      'src/listed.ts': lines(291),
      'src/outgrown.ts': lines(301),
      'src/shrunk.ts': lines(290),
      'src/small.ts': lines(250),
    },
    { 'src/listed.ts': 300, 'src/outgrown.ts': 300, 'src/shrunk.ts': 300, 'src/small.ts': 260, 'src/gone.ts': 260 },
  );

  expect(phases).toContain('FAIL lint:layout');
  expect(places.filter((place) => !place.includes('━'))).toEqual([
    'src/grown.ts: 251 lines; at most 250. Split it',
    'src/outgrown.ts: 301 lines; at most 300. Split it',
    'src/shrunk.ts: 290 lines; lower its bound from 300 to 290',
    'src/small.ts: 250 lines; take it out of the list of larger files',
    'scripts/lib/larger-files.json: src/gone.ts is not a file',
  ]);
});

it('refuses names of the product that docs/design/words.md has a word for', () => {
  const text = 'export const told = 1;\n// A person is told.\nexport class Listeners {\n  readonly #told = 1;\n}\n';

  const { phases, places } = lint({ 'src/planted.ts': text, 'scripts/planted.ts': text });

  expect(phases).toContain('FAIL lint:layout');
  expect(places.filter((place) => place.includes('the name'))).toEqual([
    'src/planted.ts:1: the name told says too little; docs/design/words.md has report, notify, print, listener',
    'src/planted.ts:4: the name told says too little; docs/design/words.md has report, notify, print, listener',
  ]);
});
