import { createHash } from 'node:crypto';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { KitError } from '../domain/errors.js';

/** Not the package's own: installed beside it, or a checkout's history. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);

async function filesOf(root: string, below = ''): Promise<readonly string[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .filter((entry) => !SKIPPED.has(entry.name))
      .map((entry) => {
        const path = join(below, entry.name);
        return entry.isDirectory() ? filesOf(root, path) : [path];
      }),
  );
  return nested.flat();
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    return Buffer.from(`link:${await readlink(path)}`);
  } catch {
    return readFile(path);
  }
}

/**
 * SHA-512 (hex) over names, lengths and contents of a package's files, without installed
 * dependencies.
 */
export async function packageDigest(root: string): Promise<string> {
  const files = [...(await filesOf(await realpath(root)))].map((path) => path.replaceAll(sep, '/')).sort();
  const hash = createHash('sha512');
  for (const file of files) {
    const content = await contentOf(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Real path of a file of a package. Throws KIT_PLUGIN_LOAD_FAILED when it is missing or lies
 * outside the package.
 */
export async function fileInside(root: string, file: string): Promise<string> {
  const [realRoot, real] = await Promise.all([realpath(root), realpath(join(root, file)).catch(() => null)]);
  if (real === null) throw new KitError('KIT_PLUGIN_LOAD_FAILED', `${file} does not exist in ${root}`);
  const inside = relative(realRoot, real);
  if (inside.startsWith('..') || isAbsolute(inside))
    throw new KitError('KIT_PLUGIN_LOAD_FAILED', `${file} leads out of its package ${root}`);
  return real;
}
