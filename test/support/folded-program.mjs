// Folds a program of the tests, with the sources that it runs, into one file of plain JavaScript: a
// process of it starts without looking for hundreds of modules and without reading TypeScript.
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { digestOf } from '../../scripts/lib/stamp.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Among the packages that it imports. */
const FOLDER = join(root, 'node_modules/.cache/test-programs');

/** By its path below the root; the sources stay as they are while tests run. */
const folded = new Map();

/** The path of the folded program; `path` is that of its source, from the root. */
export function foldedProgram(path) {
  const known = folded.get(path) ?? fold(path);
  folded.set(path, known);
  return known;
}

async function fold(path) {
  const digest = await digestOf(root, ['src', 'test/support', 'package-lock.json']);
  const file = join(FOLDER, `${basename(path, '.ts')}-${digest.slice(0, 16)}.mjs`);
  if (existsSync(file)) return file;
  const bundle = await rolldown({
    input: join(root, path),
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
    transform: { target: 'esnext' },
    external: (id) => !/^[./\0]/.test(id),
    plugins: [originalUrls],
    checks: { ineffectiveDynamicImport: false },
  });
  // Whole or not at all: others may fold the same.
  const mine = `${file}.${process.pid}.mjs`;
  await bundle.write({ file: mine, format: 'esm', codeSplitting: false });
  await bundle.close();
  await rename(mine, file);
  return file;
}

/** What lies beside a source is found beside it. */
const originalUrls = {
  name: 'original-urls',
  transform: (code, id) =>
    code.includes('import.meta.url')
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      : null,
};
