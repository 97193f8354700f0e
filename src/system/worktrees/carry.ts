import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readlink, realpath, rm, rmdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import type { Git } from './git.js';

export interface TrackedChange {
  /** Relative to the top level. */
  readonly path: string;
  readonly isDeleted: boolean;
}

export interface ChangesRequest {
  readonly topLevel: string;
  readonly commit: string;
  /** A copy of the user's index: git may refresh it. */
  readonly indexFile: string;
}

/** Tracked files that differ from the commit, staged or not. Submodules are left out. */
export async function listTrackedChanges(git: Git, request: ChangesRequest): Promise<readonly TrackedChange[]> {
  const output = await git.expect(
    ['diff', '--name-status', '-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=all', request.commit, '--'],
    {
      cwd: request.topLevel,
      env: { GIT_INDEX_FILE: request.indexFile },
    },
  );
  const fields = output.split('\0');
  const changes = new Map<string, TrackedChange>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1] ?? '';
    const isDeleted = fields[at] === 'D';
    // A file in conflict is listed twice (U and what it differs by); the file that lies there is
    // what counts.
    if (!isDeleted || !changes.has(path)) changes.set(path, { path, isDeleted });
  }
  return [...changes.values()];
}

/** Untracked files, relative to the top level: those that no ignore rule covers, or all of them. */
export async function listUntracked(
  git: Git,
  topLevel: string,
  env: Readonly<Record<string, string>>,
  which: 'all' | 'not-ignored' = 'not-ignored',
): Promise<readonly string[]> {
  const rules = which === 'all' ? [] : ['--exclude-standard'];
  const output = await git.expect(['ls-files', '-z', '--others', ...rules], { cwd: topLevel, env });
  return output.split('\0').filter((path) => path !== '');
}

/**
 * What a worktree lacks, relative to the top level: submodules, whose directories are empty there,
 * then untracked files that no ignore rule covers.
 */
export async function listLeftBehind(
  git: Git,
  topLevel: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  // Each entry is told with a letter before it: `? path`, or `H mode object stage` and, behind a
  // tab, the path.
  const output = await git.expect(['ls-files', '-z', '-t', '--stage', '--others', '--exclude-standard'], {
    cwd: topLevel,
    env,
  });
  const entries = output.split('\0');
  const submodules = entries.filter((entry) => /^[A-Z] 160000 /.test(entry));
  const untracked = entries.filter((entry) => entry.startsWith('? '));
  return [
    ...submodules.map((entry) => entry.slice(entry.indexOf('\t') + 1)),
    ...untracked.map((entry) => entry.slice(2)),
  ];
}

/**
 * Makes the worktree hold what the user's files hold. Files are copied byte by byte instead of
 * through a patch: modes, links, binary files, line endings and filters come out as the user sees
 * them. Deletions come first, since a file may have become a directory.
 */
export async function carryChanges(changes: readonly TrackedChange[], from: string, to: string): Promise<void> {
  for (const { path, isDeleted } of changes) if (isDeleted) await removeFile(to, path);
  for (const { path, isDeleted } of changes) if (!isDeleted) await carryFile(path, from, to);
}

async function carryFile(path: string, from: string, to: string): Promise<void> {
  const source = join(from, path);
  const target = join(to, path);
  const info = await lstat(source).catch(() => null);
  if (info === null || info.isDirectory()) {
    // Deleted in a conflict, or since the list was made; a directory is a submodule.
    if (info === null) await removeFile(to, path);
    return;
  }
  await mkdir(dirname(target), { recursive: true });
  if ((await realpath(dirname(target))) !== dirname(target)) {
    throw new KitError('KIT_SANDBOX_UNAVAILABLE', `${path} cannot be carried over: a link stands in its way`, {
      hint: 'Commit or undo the change of this path.',
    });
  }
  await rm(target, { recursive: true, force: true });
  if (info.isSymbolicLink()) await symlink(await readlink(source), target);
  else await copyFile(source, target, constants.COPYFILE_FICLONE);
}

/** Removes a file and the directories that it leaves empty: git does not know empty ones. */
async function removeFile(root: string, path: string): Promise<void> {
  await rm(join(root, path), { force: true });
  for (let directory = dirname(path); directory !== '.'; directory = dirname(directory)) {
    const isRemoved = await rmdir(join(root, directory)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
