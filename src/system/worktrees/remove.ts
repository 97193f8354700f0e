import { chmod, lstat, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { WorktreeHome, WorktreeRecord } from './record.js';

/**
 * Removes a worktree, its entry in the repository and its home; anything of it may be missing. The
 * entry is removed by hand as git itself does it: `git worktree remove` needs the tree, and `prune`
 * would take entries of the user with it.
 */
export async function removeWorktree(
  home: WorktreeHome,
  record: Pick<WorktreeRecord, 'commonDir'> | null,
): Promise<void> {
  await removeAll(home.tree);
  const entry = record === null ? null : await findEntry(record.commonDir, home.tree);
  if (entry !== null) {
    await removeAll(entry);
    // git keeps the folder only while it has entries.
    await rmdir(dirname(entry)).catch(() => {});
  }
  // Last, because the record in it is what a repeated removal needs.
  await removeAll(home.directory);
}

/**
 * Administrative directory `<repository>/worktrees/<name>` of the worktree; null when there is
 * none.
 */
export async function findEntry(commonDir: string, tree: string): Promise<string | null> {
  const entries = join(commonDir, 'worktrees');
  for (const name of await readdir(entries).catch(() => [])) {
    const entry = join(entries, name);
    const link = await readFile(join(entry, 'gitdir'), 'utf8').catch(() => null);
    if (link !== null && resolve(entry, link.trim()) === join(tree, '.git')) return entry;
  }
  return null;
}

/**
 * Never follows a link. A directory without write permission, as some tools leave them, is opened
 * first.
 */
async function removeAll(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await openDirectories(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function openDirectories(path: string): Promise<void> {
  const info = await lstat(path).catch(() => null);
  if (info === null || !info.isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await openDirectories(join(path, name));
}
