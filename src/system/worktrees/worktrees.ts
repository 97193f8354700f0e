import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { WorkerHost } from '../../domain/ports/stores.js';
import type { TreeView, Worktree, WorktreeRequest, Worktrees, WorktreesHome } from '../../domain/ports/worktrees.js';
import { carryChanges, listLeftBehind, listTrackedChanges } from './carry.js';
import { createGit, type Git } from './git.js';
import { copyIndex } from './git-copies.js';
import { isBelow, KIT_FILES, linkFolders } from './links.js';
import { homeIdOf, makeRoot, rootsOf, type WorktreePlaces } from './place.js';
import {
  HOME_PREFIX,
  homeAt,
  homeOf,
  readRecord,
  type WorktreeHome,
  type WorktreeRecord,
  writeRecord,
} from './record.js';
import { findEntry, removeWorktree } from './remove.js';
import { locateRepository, type RepositoryPlace } from './repository.js';
import { diffFromStart, recordStartingState } from './starting-state.js';
import { checkOutView } from './view.js';

export interface WorktreesOptions extends WorktreePlaces {
  /** Environment of the user for git (PATH, HOME); its `GIT_*` are dropped. */
  readonly env: Readonly<Record<string, string>>;
  /** This process; worktrees of dead ones are swept. */
  readonly owner: WorkerHost;
  /** State directory of the workspace: a sweep removes only what belongs to its own. */
  readonly store?: string;
  /** Default `git`, looked up on PATH. */
  readonly gitPath?: string;
}

/**
 * Detached worktrees of HEAD outside the repository. The user's files, index and objects are read,
 * never written.
 */
export function createWorktrees(options: WorktreesOptions): Worktrees {
  const git = createGit(options.env, options.gitPath);
  /** What lies among temporary files is nothing that another machine could have. */
  const whereOf = async (home: WorktreeHome): Promise<WorktreesHome | null> =>
    options.directory === undefined ? null : homeIdOf(dirname(home.directory));

  const create = async (request: WorktreeRequest): Promise<Worktree> => {
    const place = await locateRepository(git, request.repository);
    const home = homeAt(await mkdtemp(join(await makeRoot(options, place), HOME_PREFIX)));
    const record = {
      state: 'creating',
      owner: options.owner,
      commonDir: place.commonDir,
      tree: home.tree,
      prefix: place.prefix,
      baseCommit: place.headCommit,
      links: [],
      notIncluded: [],
      isView: request.view !== undefined,
      store: options.store ?? null,
      jobId: request.jobId ?? null,
    } as const;
    try {
      await writeRecord(home, record);
      const { links, notIncluded, gitDir } = await furnish({ git, place, home, request });
      const ready: Omit<WorktreeRecord, 'format'> = { ...record, state: 'ready', links, notIncluded };
      await writeRecord(home, ready);
      return handle({ git, home, record: ready, gitDir, where: await whereOf(home) });
    } catch (error) {
      await removeWorktree(home, record);
      throw error;
    }
  };

  const reopen = async (path: string, baseCommit: string): Promise<Worktree | null> => {
    const home = await homeOf(path, await rootsOf(options));
    const record = home === null ? null : await readRecord(home);
    if (home === null || record === null || record.state !== 'ready' || record.baseCommit !== baseCommit) return null;
    const gitDir = await findEntry(record.commonDir, home.tree);
    if (gitDir === null || !(await isFile(home.startIndex))) return null;
    const owned = { ...record, owner: options.owner };
    await writeRecord(home, owned);
    return handle({ git, home, record: owned, gitDir, where: await whereOf(home) });
  };

  return { create, reopen };
}

interface Handle {
  readonly git: Git;
  readonly home: WorktreeHome;
  readonly record: Omit<WorktreeRecord, 'format'>;
  readonly gitDir: string;
  readonly where: WorktreesHome | null;
}

function handle({ git, home, record, gitDir, where }: Handle): Worktree {
  return {
    path: workspacePath(home, record.prefix),
    baseCommit: record.baseCommit,
    notIncluded: record.notIncluded,
    companion: home.companion,
    ...(where === null ? {} : { home: where }),
    diff: (of = 'files') => diffFromStart(git, { home, record, gitDir }, of),
    remove: () => removeWorktree(home, record),
  };
}

interface FurnishRequest {
  readonly git: Git;
  readonly place: RepositoryPlace;
  readonly home: WorktreeHome;
  readonly request: WorktreeRequest;
}

type Furnished = Pick<WorktreeRecord, 'links' | 'notIncluded'> & { readonly gitDir: string };

async function furnish({ git, place, home, request }: FurnishRequest): Promise<Furnished> {
  if (request.view !== undefined) return furnishView({ git, place, home, view: request.view });
  const { topLevel } = place;
  const indexFile = join(home.directory, 'user.index');
  await copyIndex(place.indexFile, indexFile);
  await addWorktree(git, ['--detach', '--quiet', home.tree, place.headCommit], place);
  const gitDir = await findEntry(place.commonDir, home.tree);
  if (gitDir === null) throw new Error(`git made no entry for the worktree ${home.tree}`);

  const changes = request.includeUncommitted
    ? await listTrackedChanges(git, { ...place, commit: place.headCommit, indexFile })
    : [];
  await carryChanges(changes, topLevel, home.tree);
  // The workspace may lie in a directory of which nothing is committed; the state of kit must not
  // come along where it is.
  const path = workspacePath(home, place.prefix);
  await mkdir(path, { recursive: true });
  for (const name of KIT_FILES) await rm(join(path, name), { recursive: true, force: true });

  await recordStartingState(
    git,
    { home, record: { commonDir: place.commonDir, links: [], prefix: place.prefix }, gitDir },
    changes,
  );
  const links = await linkFolders(git, { place, names: request.link, tree: home.tree, indexFile });
  const left = await listLeftBehind(git, topLevel, { GIT_INDEX_FILE: indexFile });
  await rm(indexFile, { force: true });
  return { links, notIncluded: notIncluded(left, links, place.prefix), gitDir };
}

function notIncluded(left: readonly string[], links: readonly string[], prefix: string): readonly string[] {
  const own = [...links, ...KIT_FILES.map((name) => prefix + name)];
  return left
    .filter((path) => !own.some((folder) => isBelow(path.replace(/\/$/, ''), folder)))
    .map((path) => posix.relative(prefix, path));
}

const ADD_ATTEMPTS = 5;

/**
 * git reads the entries of all worktrees first, and gives up when another process is just making
 * one: it has made nothing then.
 */
async function addWorktree(git: Git, args: readonly string[], { topLevel, commonDir }: RepositoryPlace): Promise<void> {
  const call = { cwd: topLevel, commonDir };
  for (let attempt = 1; attempt < ADD_ATTEMPTS; attempt += 1) {
    const { exitCode, stderr } = await git.call(['worktree', 'add', ...args], call);
    if (exitCode === 0) return;
    if (!/failed to read .*commondir/.test(stderr)) break;
  }
  await git.expect(['worktree', 'add', ...args], call);
}

/**
 * Only what the view names; git's own file goes, so that nothing else of the repository can be
 * looked up from there.
 */
async function furnishView({
  git,
  place,
  home,
  view,
}: Omit<FurnishRequest, 'request'> & { readonly view: TreeView }): Promise<Furnished> {
  await addWorktree(git, ['--detach', '--quiet', '--no-checkout', home.tree, place.headCommit], place);
  const gitDir = await findEntry(place.commonDir, home.tree);
  if (gitDir === null) throw new Error(`git made no entry for the worktree ${home.tree}`);
  await checkOutView(
    git,
    { home, gitDir, commonDir: place.commonDir, prefix: place.prefix, commit: place.headCommit },
    view,
  );
  await rm(join(home.tree, '.git'), { force: true });
  return { links: [], notIncluded: [], gitDir };
}

function workspacePath(home: WorktreeHome, prefix: string): string {
  return join(home.tree, prefix).replace(/\/$/, '');
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isFile(),
    () => false,
  );
}
