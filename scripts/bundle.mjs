// Folds the compiler and the YAML parser into one module, the SQLite store into another and the library of JSON Schema into a third:
// `kit validate` loads a quarter of the files that it would load otherwise, a run without a server loads a quarter less.
// The same sources run unfolded in tests.
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDED = [
  { input: 'lib/ajv/parts.js', file: 'lib/ajv/entry.js', inlined: ['ajv', 'ajv-formats', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse'] },
  { input: 'compile/compile-workspace.js', file: 'compile/entry.js', inlined: ['yaml'] },
  { input: 'store/sqlite/open-sqlite-stores.js', file: 'store/sqlite/entry.js', inlined: [] },
];

/** Own files and the inlined libraries are folded in; what is folded elsewhere and everything else stays an import. */
const isExternal = (inlined) => (id) => {
  if (id.startsWith('node:')) return true;
  if (FOLDED.some(({ file }) => id === `${root}dist/${file}`)) return true;
  if (id.startsWith('.') || id.startsWith('/')) return false;
  return !inlined.some((name) => id === name || id.startsWith(`${name}/`));
};

for (const { input, file, inlined } of FOLDED) {
  const bundle = await rolldown({ input: `${root}dist/${input}`, platform: 'node', external: isExternal(inlined) });
  await bundle.write({ file: `${root}dist/${file}`, format: 'esm', codeSplitting: false });
  await bundle.close();
}
