// Folds what a start would load in hundreds of small modules, each of which costs more time to find
// than to run. First by themselves what many processes load alone: the compiler with the YAML
// parser, the SQLite store, the library of JSON Schema, the installer of plugins (its library would
// bring npm and yarn along as dependencies; without them it starts the npm of whoever calls it).
// Then the program itself (scripts/lib/fold-program.mjs). The same sources run unfolded in tests.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { foldProgram } from './lib/fold-program.mjs';
import { noticeOf } from './lib/notice.mjs';
import { startProfiles } from './lib/start-profiles.mjs';

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

/** Doors of plugins to a library that no package is listed for. */
const LIBRARIES = ['plugins/mcp/dist/sdk', 'plugins/protocols/dist/mcp/sdk'].map((folder) => ({
  input: `${folder}/parts.js`,
  file: `${folder}/entry.js`,
}));

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
async function fold({ input, file, external, ...how }) {
  const bundle = await rolldown({ input: `${root}${input}`, platform: 'node', external });
  const { output } = await bundle.write({ file: `${root}${file}`, format: 'esm', codeSplitting: false, ...how });
  taken.push(...output.flatMap(({ moduleIds }) => moduleIds ?? []));
  await bundle.close();
}
for (const { input, file, folds } of FOLDED)
  await fold({ input: `dist/${input}`, file: `dist/${file}`, external: isExternal(folds) });
// A library that comes with many times what is used of it: the package holds what is used.
for (const { input, file } of LIBRARIES)
  await fold({
    ...{ input, file, external: (id) => id.startsWith('node:') },
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
const program = await foldProgram({
  dist: `${root}dist`,
  profiles: await startProfiles({ root }),
  folds: among('@oclif/core', '@oxc-project/runtime', 'ajv', 'ajv-formats', 'semver', 'yaml'),
  doors: new Map(FOLDED.map(({ input, file }) => [`${root}dist/${file}`, `${root}dist/${input}`])),
});
await writeFile(`${root}dist/NOTICE.txt`, await noticeOf([...taken, ...program]));
