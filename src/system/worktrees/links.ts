import { lstat, mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { KitError } from '../../domain/errors.js';
import { withoutTrailingSlashes } from '../../lib/show-url.js';
import type { Git } from './git.js';
import type { RepositoryPlace } from './repository.js';

/** kit's own files in a workspace: never linked in, never part of a diff. */
export const KIT_FILES: readonly string[] = ['.kit', '.kit-mcp.json'];

export interface LinkRequest {
  readonly place: RepositoryPlace;
  /** Relative to the workspace, or to any directory above it in the repository. */
  readonly names: readonly string[];
  /** Root of the worktree. */
  readonly tree: string;
  /** A copy of the user's index. */
  readonly indexFile: string;
}

/**
 * Links dependency folders in; answers those that are linked now, relative to the root. A workspace
 * may lie in a folder of its own, so a name is looked for beside it and in each directory above it,
 * up to the top of the repository: programs find packages the same way. A folder that does not
 * exist is none; one that holds tracked files is never linked, since a write through the link would
 * be a write to the user's own tree.
 */
export async function linkFolders(git: Git, request: LinkRequest): Promise<readonly string[]> {
  const names = request.names.map(checkName);
  const linked: string[] = [];
  for (const folder of foldersUp(request.place.prefix)) {
    for (const name of names) {
      const path = join(folder, name);
      if (await linkOne(git, request, path)) linked.push(path);
    }
  }
  return linked;
}

/** `a/b/` -> `a/b`, `a`, ``. */
function foldersUp(prefix: string): readonly string[] {
  const parts = prefix.split('/').filter((part) => part !== '');
  return [...parts.map((_part, index) => parts.slice(0, parts.length - index).join('/')), ''];
}

async function linkOne(git: Git, { place, tree, indexFile }: LinkRequest, path: string): Promise<boolean> {
  const source = join(place.topLevel, path);
  const target = join(tree, path);
  if (!(await exists(source)) || (await exists(target))) return false;
  const tracked = await git.expect(['ls-files', '-z', '--', `:(top,literal)${path}`], {
    cwd: place.topLevel,
    env: { GIT_INDEX_FILE: indexFile },
  });
  if (tracked !== '') return false;
  await mkdir(dirname(target), { recursive: true });
  await symlink(await realpath(source), target);
  return true;
}

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function checkName(name: string): string {
  const path = withoutTrailingSlashes(normalize(name));
  const [first] = path.split('/');
  if (!isAbsolute(path) && path !== '.' && first !== '..' && first !== '.git' && !KIT_FILES.includes(first ?? ''))
    return path;
  throw new KitError('KIT_SANDBOX_UNAVAILABLE', `${JSON.stringify(name)} cannot be linked into a worktree`, {
    hint: 'Name folders inside the workspace, like node_modules.',
  });
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
