import { randomBytes } from 'node:crypto';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { KitError } from '../../domain/errors.js';
import type { WorktreesHome } from '../../domain/ports/worktrees.js';
import type { RepositoryPlace } from './repository.js';

/** Where worktrees are made, and where earlier ones may lie. */
export interface WorktreePlaces {
  /**
   * Folder of its own, made with mode 700 where it is missing. Default: the folder for temporary
   * files.
   */
  readonly directory?: string;
  /** Folder for temporary files: earlier versions made them there. Default the system's. */
  readonly tempRoot?: string;
}

/** Folders in which worktrees of kit can lie, links resolved; those that are there. */
export async function rootsOf({ directory, tempRoot = tmpdir() }: WorktreePlaces): Promise<readonly string[]> {
  const real = async (path: string): Promise<readonly string[]> =>
    realpath(path).then(
      (found) => [found],
      () => [],
    );
  const roots = [...(directory === undefined ? [] : await real(directory)), ...(await real(tempRoot))];
  return [...new Set(roots)];
}

/**
 * The folder in which new worktrees are made. Throws KIT_SANDBOX_UNAVAILABLE where it cannot be
 * made, or lies inside the repository, where it would show up among the user's files.
 */
export async function makeRoot(places: WorktreePlaces, repository: RepositoryPlace): Promise<string> {
  const { directory, tempRoot = tmpdir() } = places;
  const root = await (directory === undefined ? realpath(tempRoot) : makeDirectory(directory));
  if (root !== repository.topLevel && !root.startsWith(repository.topLevel + sep)) return root;
  const words =
    directory === undefined
      ? { what: 'the folder for temporary files', hint: 'Set TMPDIR to a directory outside the repository.' }
      : {
          what: 'the directory of worktrees',
          hint: 'Set KIT_WORKTREES_DIR to a directory outside the repository.',
        };
  throw new KitError('KIT_SANDBOX_UNAVAILABLE', `${words.what}, ${root}, lies inside the repository`, {
    hint: words.hint,
  });
}

async function makeDirectory(directory: string): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return await realpath(directory);
  } catch (error) {
    throw new KitError(
      'KIT_SANDBOX_UNAVAILABLE',
      `the directory of worktrees, ${directory}, cannot be made: ${error instanceof Error ? error.message : ''}`,
      { hint: 'Set KIT_WORKTREES_DIR to a directory that you may write, outside the repository.', cause: error },
    );
  }
}

const ID_FILE = 'id';

/**
 * The id that lies in a directory of worktrees; null: none was ever made there. It moves with the
 * directory, as the name of a machine would not (a volume that another container mounts).
 */
export async function readHomeId(directory: string): Promise<string | null> {
  const text = await readFile(join(directory, ID_FILE), 'utf8').catch(() => null);
  const id = text?.trim() ?? '';
  return /^[0-9a-f]{16}$/.test(id) ? id : null;
}

/** The same, given to a directory that has none. */
export async function homeIdOf(directory: string): Promise<WorktreesHome> {
  const at = `${hostname()}:${directory}`;
  const known = await readHomeId(directory);
  if (known !== null) return { id: known, at };
  const id = randomBytes(8).toString('hex');
  // Of two processes that give one at the same time the first is right.
  await writeFile(join(directory, ID_FILE), `${id}\n`, { flag: 'wx', mode: 0o600 }).catch(() => undefined);
  return { id: (await readHomeId(directory)) ?? id, at };
}
