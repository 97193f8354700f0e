import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { KitError } from '../../domain/errors.js';
import type { TreeView } from '../../domain/ports/worktrees.js';
import { withoutTrailingSlashes } from '../../lib/show-url.js';
import type { Git, GitCall } from './git.js';
import { isBelow, KIT_FILES } from './links.js';
import type { WorktreeHome } from './record.js';
import { recordStartingState } from './starting-state.js';

export interface ViewPlace {
  readonly home: WorktreeHome;
  readonly gitDir: string;
  readonly commonDir: string;
  /** Where the workspace lies below the root: '' or ending in '/'. */
  readonly prefix: string;
  readonly commit: string;
}

/**
 * Fills a worktree without files: the part of the commit that the view names, then the files it
 * brings. Both are its starting state.
 */
export async function checkOutView(git: Git, place: ViewPlace, view: TreeView): Promise<void> {
  const { home, gitDir, prefix } = place;
  const paths = view.paths.map(insideOf);
  const own = Object.keys(view.files).map((path) => prefix + insideOf(path));
  const call: GitCall = {
    cwd: home.tree,
    commonDir: place.commonDir,
    env: {
      GIT_DIR: gitDir,
      GIT_COMMON_DIR: place.commonDir,
      GIT_WORK_TREE: home.tree,
      GIT_INDEX_FILE: join(gitDir, 'index'),
    },
  };
  const entries = await entriesOf(git, call, { commit: place.commit, paths });
  const kept = entries.filter(({ path }) => !isHidden(path, { prefix, own }));
  if (kept.length > 0) {
    await git.expect(['update-index', '-z', '--index-info'], {
      ...call,
      stdin: kept.map(({ line }) => `${line}\0`).join(''),
    });
    await git.expect(['checkout-index', '--all', '--force', '--quiet'], call);
  }
  for (const [path, text] of Object.entries(view.files)) {
    const target = join(home.tree, prefix, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  await mkdir(join(home.tree, prefix), { recursive: true });
  const added = own.map((path) => ({ path, isDeleted: false }));
  await recordStartingState(git, { home, record: { commonDir: place.commonDir, links: [], prefix }, gitDir }, added);
}

interface Entry {
  readonly path: string;
  /** As `git ls-tree` writes it and `git update-index` takes it. */
  readonly line: string;
}

/**
 * Files of the commit at or below the paths; submodules are left out. No path is not a file: git
 * would take it for all of them.
 */
async function entriesOf(
  git: Git,
  call: GitCall,
  of: { readonly commit: string; readonly paths: readonly string[] },
): Promise<readonly Entry[]> {
  if (of.paths.length === 0) return [];
  const wanted = of.paths.includes('.') ? [] : of.paths;
  const output = await git.expect(
    ['--literal-pathspecs', 'ls-tree', '-r', '-z', '--full-tree', of.commit, '--', ...wanted],
    call,
  );
  return output
    .split('\0')
    .filter((line) => line !== '' && !line.startsWith('160000 '))
    .map((line) => ({ line, path: line.slice(line.indexOf('\t') + 1) }));
}

/**
 * kit's own files are never shown, and nothing of the commit takes the place of a file that the
 * view brings.
 */
function isHidden(
  path: string,
  { prefix, own }: { readonly prefix: string; readonly own: readonly string[] },
): boolean {
  return (
    KIT_FILES.some((name) => isBelow(path, name) || isBelow(path, prefix + name)) ||
    own.some((file) => isBelow(path, file) || isBelow(file, path))
  );
}

/**
 * The path in its shortest form, '.' for the whole. Throws KIT_SANDBOX_UNAVAILABLE for one that
 * leaves the tree or is git's own.
 */
function insideOf(path: string): string {
  const normal = withoutTrailingSlashes(posix.normalize(path)) || '.';
  const [first] = normal.split('/');
  if (!posix.isAbsolute(path) && first !== '..' && first !== '.git' && !path.includes('\0')) return normal;
  throw new KitError('KIT_SANDBOX_UNAVAILABLE', `${JSON.stringify(path)} is not a path inside the repository`, {
    hint: 'Write read_scope with files and folders relative to the top of the repository.',
  });
}
