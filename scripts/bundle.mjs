// Folds the compiler and the YAML parser into one module: `kit validate` loads a third of the files it would load otherwise.
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

const bundle = await rolldown({ input: `${root}dist/compile/compile-workspace.js`, platform: 'node', external: isExternal });
await bundle.write({ file: `${root}dist/compile/entry.js`, format: 'esm', codeSplitting: false });
await bundle.close();
