// Folds the compiler and the YAML parser into one module, and the SQLite store into another: `kit validate` loads a third of the files
// that it would load otherwise, a run without a server loads an eighth less.
// The same sources run unfolded in tests.
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const INLINED = ['yaml'];

/** Own files and the inlined libraries are folded in; everything else stays an import. */
const isExternal = (id) => {
  if (id.startsWith('node:')) return true;
  if (id.startsWith('.') || id.startsWith('/')) return false;
  return !INLINED.some((name) => id === name || id.startsWith(`${name}/`));
};

const FOLDED = [
  { input: 'compile/compile-workspace.js', file: 'compile/entry.js' },
  { input: 'store/sqlite/open-sqlite-stores.js', file: 'store/sqlite/entry.js' },
];

for (const { input, file } of FOLDED) {
  const bundle = await rolldown({ input: `${root}dist/${input}`, platform: 'node', external: isExternal });
  await bundle.write({ file: `${root}dist/${file}`, format: 'esm', codeSplitting: false });
  await bundle.close();
}
