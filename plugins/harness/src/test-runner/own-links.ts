import { lstat, mkdir, readdir, realpath, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Folders of caches that tools keep beside packages: each run has its own, and it goes with the
 * worktree.
 */
const CACHES = new Set(['.cache', '.vite', '.vite-temp', '.vitest', '.vitest-cache']);

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (info) => info.isSymbolicLink(),
    () => false,
  );

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * The directory and those above it, up to the top of the repository; the directory alone outside
 * one.
 */
async function foldersUp(start: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    folders.push(folder);
    if (await exists(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [start];
  }
}

/**
 * Turns a linked folder into a folder of links. A worktree links `node_modules` as a whole, so a
 * runner that keeps a cache in it (Vite writes there on every start) would write into the user's
 * own folder; new entries now stay in the worktree. Touches only folders that were named as linked,
 * there or in a directory above in the same repository, and only where they are links.
 */
export async function ownLinks(start: string, names: readonly string[]): Promise<void> {
  for (const folder of await foldersUp(start)) for (const name of names) await ownLink(join(folder, name));
}

async function ownLink(path: string): Promise<void> {
  if (!(await isLink(path))) return;
  const target = await realpath(path);
  const entries = await readdir(target);
  await unlink(path);
  await mkdir(path);
  for (const entry of entries) if (!CACHES.has(entry)) await symlink(join(target, entry), join(path, entry));
}
