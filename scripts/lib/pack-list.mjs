// What npm leaves out of dist when it packs: declarations that no export of package.json reaches.
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

const NAMED = /(?:\bfrom\s*|\bimport\(?\s*)['"](\.[^'"]+)\.js['"]/g;

/** Declarations below dist that the exports show, by their paths in the package. */
async function reachedOf(root) {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const shown = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [types]));
  const reached = new Set(await Array.fromAsync(glob(shown, { cwd: root }), (path) => posix.normalize(path)));
  for (const path of reached) {
    const text = await readFile(join(root, path), 'utf8');
    for (const [, to] of text.matchAll(NAMED)) reached.add(`${posix.join(posix.dirname(path), to)}.d.ts`);
  }
  return reached;
}

/** Writes dist/.npmignore; npm reads it although package.json has `files`. */
export async function leaveOutUnreached(root) {
  const reached = await reachedOf(root);
  const all = await Array.fromAsync(glob('dist/**/*.d.ts', { cwd: root }));
  const left = all.filter((path) => !reached.has(path)).sort();
  await writeFile(join(root, 'dist/.npmignore'), left.map((path) => `${path.replace(/^dist/, '')}\n`).join(''));
}
