// Remembers from which inputs an output was made, so that a second build does nothing.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

async function filesBelow(path) {
  const info = await stat(path).catch(() => null);
  if (info === null) return [];
  if (info.isFile()) return [path];
  const names = (await readdir(path)).sort();
  return (await Promise.all(names.map((name) => filesBelow(join(path, name))))).flat();
}

/** Digest over names and contents of files and folders; what does not exist counts as empty. */
export async function digestOf(root, paths) {
  const hash = createHash('sha256').update(process.version);
  for (const file of (await Promise.all(paths.map((path) => filesBelow(join(root, path))))).flat()) {
    if (file.endsWith('.tsbuildinfo')) continue;
    hash.update(`${file.slice(root.length)}\0`).update(await readFile(file));
  }
  return hash.digest('hex');
}

const stampPath = (root, name) => join(root, 'dist', '.stamps', `${name.replaceAll('/', '-')}.txt`);

export async function isFresh(root, name, digest, output) {
  if (!existsSync(join(root, output))) return false;
  return (await readFile(stampPath(root, name), 'utf8').catch(() => '')) === digest;
}

export async function remember(root, name, digest) {
  await mkdir(dirname(stampPath(root, name)), { recursive: true });
  await writeFile(stampPath(root, name), digest);
  return true;
}
