// The one lint: format and rules without types (biome), rules with types (oxlint), layout.
// `npm run lint -- [--fix] [--root DIR] [FILE...]`: of this repository, or of another tree with its
// settings, whole or some files. `--fix` writes what biome can: format, order of imports.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { lengthFault, longLines, privateNames } from './lib/layout.mjs';
import { node, runPhases } from './lib/phases.mjs';

const home = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals: named } = parseArgs({
  options: { root: { type: 'string', default: home }, fix: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const tool = (path, ...args) => node(values.root, resolve(home, 'node_modules', path), ...args, ...named);
const LARGER_FILES = 'scripts/lib/larger-files.json';

/** Files that people write. Fixtures are as their tests need them. */
const written = () =>
  execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '*.ts', '*.tsx', '*.mts', '*.mjs'],
    { cwd: values.root, encoding: 'utf8' },
  )
    .split('\n')
    .filter((path) => path !== '' && !/^test\/(fixtures|journals)\/|\/generated\//.test(path));

/** Null = deleted, and not yet committed. */
const textOf = (path) =>
  readFile(resolve(values.root, path), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

async function layout() {
  const bounds = JSON.parse(await textOf(LARGER_FILES));
  const all = written();
  const paths = named.length > 0 ? named.filter((path) => all.includes(path)) : all;
  const faults = await Promise.all(
    paths.map(async (path) => {
      const text = await textOf(path);
      return text === null
        ? []
        : [...longLines(path, text), ...privateNames(path, text), lengthFault(path, text, bounds[path])];
    }),
  );
  const gone = named.length > 0 ? [] : Object.keys(bounds).filter((path) => !all.includes(path));
  const told = [...faults.flat(), ...gone.map((path) => `${LARGER_FILES}: ${path} is not a file`)].filter(Boolean);
  for (const fault of told) console.error(fault);
  return told.length === 0;
}

const failed = await runPhases({
  'lint:style': async (sink) => {
    const args = ['check', '--error-on-warnings', '--diagnostic-level=warn', ...(values.fix ? ['--write'] : [])];
    const isClean = await tool('@biomejs/biome/bin/biome', ...args)(sink);
    if (!isClean && !values.fix) sink.write('`npm run lint -- --fix` writes what is FIXABLE\n');
    return isClean;
  },
  'lint:types': tool(
    'oxlint/bin/oxlint',
    '--tsconfig=tsconfig.test.json',
    '--report-unused-disable-directives',
    '--format=unix',
  ),
  'lint:layout': layout,
});
process.exitCode = failed.length === 0 ? 0 : 1;
