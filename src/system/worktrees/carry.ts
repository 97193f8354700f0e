import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readlink, realpath, rm, rmdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import type { Git, GitCall } from './git.js';

export interface TrackedChange {
  /** Relative to the top level. */
  readonly path: string;
  readonly isDeleted: boolean;
}

export interface ChangesRequest {
  readonly topLevel: string;
  readonly commonDir: string;
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
      commonDir: request.commonDir,
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

export interface NewFilesRequest {
  /** Those that no ignore rule covers, or all of them. */
  readonly which: 'all' | 'not-ignored';
  /** Relative to the top level; a folder ends in a slash. */
  readonly isLeftOut: (path: string) => boolean;
}

export interface NewFiles {
  /** Folders in which somebody made a repository. */
  readonly repositories: readonly string[];
  /** Files that are new or differ, those that are gone included. */
  readonly changed: readonly string[];
  /**
   * The tree to compare with: the index has the new files, and a new folder may have the place of a
   * file of it, or a file that of a folder. Null: nothing is new, and the index will do.
   */
  readonly base: string | null;
}

/**
 * Notes in the index that there are new files, so that a diff has them.
 *
 * git looks into no repository inside another one and adds nothing of it, without a word: files in
 * it would be in nobody's diff. An entry of the index below its folder makes git take the folder
 * for an ordinary one, so each gets one until its files are noted.
 */
export async function addNewFiles(git: Git, call: GitCall, request: NewFilesRequest): Promise<NewFiles> {
  let listed = await listNew(git, call, request);
  const { changed, files, killed } = listed;
  if (files.length === 0 && listed.repositories.length === 0 && !killed)
    return { repositories: [], base: null, changed };
  const base = (await git.expect(['write-tree', '--missing-ok'], call)).trim();
  const repositories: string[] = [];
  const entries: string[] = [];
  while (listed.repositories.length > 0) {
    const again = listed.repositories.find((path) => repositories.includes(path));
    if (again !== undefined) throw closedRepository(again);
    repositories.push(...listed.repositories);
    entries.push(...(await noteFiles(git, call, { base, paths: placeholdersIn(listed.repositories) })));
    listed = await listNew(git, call, request);
  }
  await noteFiles(git, call, { base, paths: listed.files });
  if (entries.length > 0)
    await git.expect(['update-index', '--force-remove', '-z', '--stdin'], { ...call, stdin: nulEnded(entries) });
  return { repositories, base, changed: [...listed.files, ...changed] };
}

const nulEnded = (lines: readonly string[]): string => lines.map((line) => `${line}\0`).join('');

interface Listed {
  /** New ones. */
  readonly files: readonly string[];
  /** Those of the index that differ, or are gone. */
  readonly changed: readonly string[];
  /** Each ends in a slash. */
  readonly repositories: readonly string[];
  /** Some of them stand where the index has a folder, or a file above them. */
  readonly killed: boolean;
}

async function listNew(git: Git, call: GitCall, { which, isLeftOut }: NewFilesRequest): Promise<Listed> {
  const rules = which === 'all' ? [] : ['--exclude-standard'];
  // Each entry has a letter before it: `? path` is new, `K path` stands in the way of the index. A
  // repository that does is told by the second alone, other files by both. `C path` differs.
  const output = await git.expect(['ls-files', '-z', '-t', '--others', '--killed', '--modified', ...rules], call);
  const entries = output.split('\0').filter((entry) => entry !== '');
  const pathsOf = (of: (entry: string) => boolean): readonly string[] =>
    [...new Set(entries.filter(of).map((entry) => entry.slice(2)))].filter((path) => !isLeftOut(path));
  const paths = pathsOf((entry) => !isModified(entry));
  return {
    changed: pathsOf(isModified),
    files: paths.filter((path) => !path.endsWith('/')),
    repositories: paths.filter((path) => path.endsWith('/')),
    killed: entries.some((entry) => entry.startsWith('K ')),
  };
}

const isModified = (entry: string): boolean => entry.startsWith('C ');

const placeholdersIn = (folders: readonly string[]): readonly string[] =>
  folders.map((folder) => `${folder}kit-${randomBytes(8).toString('hex')}`);

/** The blob without a byte, by the length of the ids of a repository: SHA-1 and SHA-256. */
const EMPTY_BLOBS: Readonly<Record<number, string>> = {
  40: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  64: '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
};

/**
 * Puts the paths into the index and reads none of the files: `git add` looks for each in the whole
 * tree, and twenty thousand took half a minute. Returns them.
 */
async function noteFiles(
  git: Git,
  call: GitCall,
  { base, paths }: { readonly base: string; readonly paths: readonly string[] },
): Promise<readonly string[]> {
  if (paths.length === 0) return paths;
  const unclear = paths.find((path) => path.includes('\ufffd'));
  if (unclear !== undefined) throw unclearName(unclear);
  const blob = EMPTY_BLOBS[base.length] ?? '';
  await git.expect(['update-index', '--add', '--replace', '-z', '--index-info'], {
    ...call,
    stdin: nulEnded(paths.map((path) => `100644 ${blob}\t${path}`)),
  });
  return paths;
}

const unclearName = (path: string): KitError =>
  new KitError('KIT_SANDBOX_UNAVAILABLE', `the name of the new file ${JSON.stringify(path)} is not UTF-8`, {
    hint: 'Let the agent give its files names in UTF-8, or list them in .gitignore.',
  });

const closedRepository = (folder: string): KitError =>
  new KitError('KIT_SANDBOX_UNAVAILABLE', `the files of the repository ${folder} cannot be listed`, {
    hint: `Let the agent make no repository in its worktree, or list ${folder} in .gitignore.`,
  });
