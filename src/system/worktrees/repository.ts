import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import type { Git } from './git.js';

/** Where a directory lies inside its repository. */
export interface RepositoryPlace {
  readonly topLevel: string;
  /** Path of the directory below the top level, '' or ending in '/'. */
  readonly prefix: string;
  /** The `.git` directory that all worktrees of the repository share. */
  readonly commonDir: string;
  /** Index of the user's own worktree; may not exist. */
  readonly indexFile: string;
  readonly headCommit: string;
}

/**
 * Throws KIT_SANDBOX_UNAVAILABLE with the fix: no directory, no git, no repository, no working
 * tree, no commit, or a working tree that the repository claims and that does not have it.
 */
export async function locateRepository(git: Git, directory: string): Promise<RepositoryPlace> {
  const place = await askForPlace(git, directory);
  // With `core.worktree` a repository could make kit write into any folder above it.
  const isItsOwn = await lstat(join(place.topLevel, '.git')).then(
    () => true,
    () => false,
  );
  if (isItsOwn) return place;
  throw unavailable(
    `the git repository of ${directory} says that its files lie in ${place.topLevel}, where there is no .git`,
    'Look at core.worktree: git config --show-origin core.worktree. If you did not set it, run: git config --unset core.worktree',
  );
}

async function askForPlace(git: Git, directory: string): Promise<RepositoryPlace> {
  const isDirectory = await stat(directory).then(
    (info) => info.isDirectory(),
    () => false,
  );
  if (!isDirectory) throw unavailable(`${directory} is not a directory`, 'Give the directory of the workspace.');

  const answer = await git.call(['rev-parse', ...EVERYTHING], { cwd: directory });
  const lines = answer.stdout.split('\n').slice(0, -1);
  const [isInside, headCommit = '', prefix = '', topLevel = '', commonDir = '', indexFile = ''] = lines;
  if (answer.exitCode === 0 && isInside === 'true' && lines.length === EVERYTHING_LINES)
    return { headCommit, topLevel, prefix, commonDir, indexFile };
  return askOneByOne(git, directory);
}

/** A line each, in this order. */
const EVERYTHING = [
  '--is-inside-work-tree',
  'HEAD^{commit}',
  '--show-prefix',
  '--path-format=absolute',
  '--show-toplevel',
  '--git-common-dir',
  '--git-path',
  'index',
] as const;
const EVERYTHING_LINES = 6;

/** Says what is wrong; or nothing is, and a path holds a line break. */
async function askOneByOne(git: Git, directory: string): Promise<RepositoryPlace> {
  const inside = await git.call(['rev-parse', '--is-inside-work-tree'], { cwd: directory });
  if (inside.exitCode !== 0) throw notARepository(directory, inside.stderr);
  if (inside.stdout.trim() !== 'true') {
    throw unavailable(
      `${directory} is a bare git repository: it has no working tree`,
      'Run inside an ordinary clone of the repository.',
    );
  }
  const ask = async (...args: string[]): Promise<string> => {
    const output = await git.expect(['rev-parse', '--path-format=absolute', ...args], { cwd: directory });
    return output.replace(/\n$/, '');
  };
  return {
    headCommit: await headCommit(git, directory),
    topLevel: await ask('--show-toplevel'),
    prefix: (await git.expect(['rev-parse', '--show-prefix'], { cwd: directory })).replace(/\n$/, ''),
    commonDir: await ask('--git-common-dir'),
    indexFile: await ask('--git-path', 'index'),
  };
}

async function headCommit(git: Git, directory: string): Promise<string> {
  const head = await git.call(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: directory });
  if (head.exitCode === 0) return head.stdout.trim();
  throw unavailable(
    `the git repository of ${directory} has no commit yet`,
    'Make a first commit: git add -A && git commit -m "first"',
  );
}

function notARepository(directory: string, stderr: string): KitError {
  if (stderr.includes('dubious ownership')) {
    return unavailable(
      `git refuses the repository of ${directory}: it belongs to another user`,
      `If you trust it, run: git config --global --add safe.directory ${directory}`,
    );
  }
  return unavailable(
    `${directory} is not inside a git repository`,
    'Make it one with a first commit: git init && git add -A && git commit -m "first"',
  );
}

function unavailable(message: string, hint: string): KitError {
  return new KitError('KIT_SANDBOX_UNAVAILABLE', message, { hint });
}
