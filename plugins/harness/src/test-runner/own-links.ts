import { lstat, mkdir, readdir, realpath, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders of caches that tools keep beside packages: each run has its own, and it goes with the worktree. */
const CACHES = new Set(['.cache', '.vite', '.vite-temp', '.vitest', '.vitest-cache']);

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (info) => info.isSymbolicLink(),
    () => false,
  );

/**
 * Turns a linked folder into a folder of links. A worktree links `node_modules` as a whole, so a runner that keeps a cache
 * in it (Vite writes there on every start) would write into the user's own folder; new entries now stay in the worktree.
 * Touches only folders that were named as linked, and only where they are links.
 */
export async function ownLinks(root: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const path = join(root, name);
    if (!(await isLink(path))) continue;
    const target = await realpath(path);
    const entries = await readdir(target);
    await unlink(path);
    await mkdir(path);
    for (const entry of entries) if (!CACHES.has(entry)) await symlink(join(target, entry), join(path, entry));
  }
}
