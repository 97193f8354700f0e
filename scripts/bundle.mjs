// Folds the compiler and the YAML parser into one module, the SQLite store into another and the
// library of JSON Schema into a third: `kit validate` loads a quarter of the files that it would
// load otherwise, a run without a server loads a quarter less. The installer of plugins is folded
// because its library would bring npm and yarn along as dependencies; without them it starts the
// npm of whoever calls it. The same sources run unfolded in tests.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { noticeOf } from './lib/notice.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The package that a bare specifier names: `@a/b/c` is of `@a/b`. */
const packageOf = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)[0];
const among =
  (...names) =>
  (name) =>
    names.includes(name);

const FOLDED = [
  {
    input: 'lib/ajv/parts.js',
    file: 'lib/ajv/entry.js',
    folds: among('ajv', 'ajv-formats', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse'),
  },
  { input: 'compile/compile-workspace.js', file: 'compile/entry.js', folds: among('yaml') },
  { input: 'store/sqlite/open-sqlite-stores.js', file: 'store/sqlite/entry.js', folds: among() },
  {
    input: 'host/install/plugin-plugins-child.js',
    file: 'host/install/plugin-plugins-entry.js',
    folds: (name) => name !== '@oclif/core',
  },
];

/**
 * Own files and the libraries that `folds` names are folded in; what is folded elsewhere and
 * everything else stays an import.
 */
const isExternal = (folds) => (id) => {
  if (id.startsWith('node:')) return true;
  if (FOLDED.some(({ file }) => id === `${root}dist/${file}`)) return true;
  if (id.startsWith('.') || id.startsWith('/')) return false;
  return !folds(packageOf(id));
};

const taken = [];
for (const { input, file, folds } of FOLDED) {
  const bundle = await rolldown({ input: `${root}dist/${input}`, platform: 'node', external: isExternal(folds) });
  const { output } = await bundle.write({ file: `${root}dist/${file}`, format: 'esm', codeSplitting: false });
  taken.push(...output.flatMap(({ moduleIds }) => moduleIds ?? []));
  await bundle.close();
}
await writeFile(`${root}dist/NOTICE.txt`, await noticeOf(taken));
