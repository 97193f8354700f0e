import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import type { ApplyTarget, MergedPatches, Patch, RepositoryChanges } from '../../domain/ports/repository.js';
import { createGit, type Git, type GitCall } from '../worktrees/git.js';
import { copyIndex } from '../worktrees/git-copies.js';
import { locateRepository, type RepositoryPlace } from '../worktrees/repository.js';
import { addUntracked, mergeOne, pathsBetween, snapshotIndex } from './merge-patch.js';
import { checkBranch, makeBranch } from './new-branch.js';

export interface RepositoryChangesOptions {
  /** Environment of the user for git (PATH, HOME); its `GIT_*` are dropped. */
  readonly env: Readonly<Record<string, string>>;
  /** The system's folder for temporary files. */
  readonly tempRoot: string;
}

/**
 * Puts changes together in an index and an object store of its own, so that the user's repository
 * is only read until everything fits.
 */
export function createRepositoryChanges({ env, tempRoot }: RepositoryChangesOptions): RepositoryChanges {
  const git = createGit(env);
  return {
    merge: async ({ repository, patches, onto }) => {
      const place = await locateRepository(git, repository);
      await assertReady(git, place, onto);
      const home = await mkdtemp(join(tempRoot, 'kit-apply-'));
      const discard = (): Promise<void> => rm(home, { recursive: true, force: true });
      try {
        const merged = await mergeIn({ git, place, home, patches, onto });
        if (merged.kind === 'conflict') await discard();
        return merged.kind === 'conflict' ? merged : { ...merged, discard };
      } catch (error) {
        await discard();
        throw error;
      }
    },
  };
}

async function assertReady(git: Git, place: RepositoryPlace, onto: ApplyTarget): Promise<void> {
  if (onto.kind === 'branch') return checkBranch(git, place, onto.name);
  const unmerged = await git.expect(['ls-files', '--unmerged', '-z'], { cwd: place.topLevel });
  if (unmerged === '') return;
  throw new KitError('KIT_APPLY_REFUSED', `${place.topLevel} holds a merge that is not finished`, {
    hint: 'Finish or abort it first, or apply with --branch NAME.',
  });
}

interface MergeIn {
  readonly git: Git;
  readonly place: RepositoryPlace;
  readonly home: string;
  readonly patches: readonly Patch[];
  readonly onto: ApplyTarget;
}

type Merged = Exclude<MergedPatches, { kind: 'merged' }> | Omit<Extract<MergedPatches, { kind: 'merged' }>, 'discard'>;

async function mergeIn({ git, place, home, patches, onto }: MergeIn): Promise<Merged> {
  const indexFile = join(home, 'index');
  const call = await quarantine(home, { place, indexFile });
  const known = await knownBases(git, place, patches);
  const missingBases = [...new Set(patches.flatMap(({ baseCommit }) => baseCommit ?? []))].filter(
    (commit) => !known.has(commit),
  );
  const start = onto.kind === 'branch' ? startOf(patches, known) : null;
  if (start === null) {
    await copyIndex(place.indexFile, indexFile);
    await snapshotIndex(git, call);
    for (const { diff } of patches) await addUntracked(git, call, diff);
  } else {
    await git.expect(['read-tree', start], call);
  }
  const before = await treeOf(git, call);
  for (const { label, diff } of patches) {
    const conflict = await mergeOne(git, call, diff);
    if (conflict !== null) return { kind: 'conflict', label, missingBases, ...conflict };
  }
  const after = await treeOf(git, call);
  const paths = await pathsBetween(git, call, { before, after });
  return {
    kind: 'merged',
    topLevel: place.topLevel,
    paths,
    missingBases,
    write: async () => {
      if (onto.kind === 'branch' && start !== null)
        return {
          commit: await writeBranch(git, {
            call: { cwd: call.cwd, env: { GIT_INDEX_FILE: indexFile } },
            patches,
            start,
            after,
            onto,
          }),
        };
      if (paths.length > 0) await writeTree(git, { place, call, before, after });
      return { commit: null };
    },
  };
}

/** What is made lies here; the repository's own objects are seen and not added to. */
async function quarantine(
  home: string,
  { place, indexFile }: { readonly place: RepositoryPlace; readonly indexFile: string },
): Promise<GitCall> {
  const objects = join(home, 'objects');
  await mkdir(objects);
  return {
    cwd: place.topLevel,
    commonDir: place.commonDir,
    env: {
      GIT_INDEX_FILE: indexFile,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(place.commonDir, 'objects')),
    },
  };
}

async function knownBases(git: Git, place: RepositoryPlace, patches: readonly Patch[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const { baseCommit } of patches) {
    if (baseCommit === null || known.has(baseCommit)) continue;
    const { exitCode } = await git.call(['cat-file', '-e', `${baseCommit}^{tree}`], { cwd: place.topLevel });
    if (exitCode === 0) known.add(baseCommit);
  }
  return known;
}

/** Throws KIT_APPLY_REFUSED: a branch needs the commit that the work began with. */
function startOf(patches: readonly Patch[], known: ReadonlySet<string>): string {
  const base = patches[0]?.baseCommit ?? null;
  if (base !== null && known.has(base)) return base;
  throw new KitError(
    'KIT_APPLY_REFUSED',
    base === null
      ? 'nobody knows which commit the work began with'
      : `this repository does not have ${base}, the commit that the work began with`,
    { hint: 'Fetch that commit (`git fetch origin <commit>`), or apply onto the working tree without --branch.' },
  );
}

const treeOf = async (git: Git, call: GitCall): Promise<string> => (await git.expect(['write-tree'], call)).trim();

/** What has fitted in the quarantine is made once more, in the repository itself. */
async function writeBranch(
  git: Git,
  of: {
    /** Without the quarantine. */
    readonly call: GitCall;
    readonly patches: readonly Patch[];
    readonly start: string;
    readonly after: string;
    readonly onto: Extract<ApplyTarget, { kind: 'branch' }>;
  },
): Promise<string> {
  const { call } = of;
  await git.expect(['read-tree', of.start], call);
  for (const { diff } of of.patches) await mergeOne(git, call, diff);
  const tree = await treeOf(git, call);
  if (tree !== of.after) throw new Error(`the same patches made another tree: ${tree}, not ${of.after}`);
  return makeBranch(git, call, { parent: of.start, tree, name: of.onto.name, message: of.onto.message });
}

/**
 * The difference of two trees onto the user's files, byte by byte: git checks all of it before it
 * writes any.
 */
async function writeTree(
  git: Git,
  of: { readonly place: RepositoryPlace; readonly call: GitCall; readonly before: string; readonly after: string },
): Promise<void> {
  const patch = await git.expect(
    [
      'diff-tree',
      '-r',
      '-p',
      '--binary',
      '--full-index',
      '--no-renames',
      '--no-ext-diff',
      '--no-textconv',
      '--src-prefix=a/',
      '--dst-prefix=b/',
      of.before,
      of.after,
    ],
    { ...of.call, encoding: 'latin1' },
  );
  const { exitCode, stderr } = await git.call(['apply', '--whitespace=nowarn', '-'], {
    cwd: of.place.topLevel,
    commonDir: of.place.commonDir,
    stdin: Buffer.from(patch, 'latin1'),
  });
  if (exitCode === 0) return;
  throw new KitError('KIT_APPLY_CONFLICT', 'the files changed while the changes were being put together', {
    hint: 'Nothing was written. Run the command again.',
    data: { detail: stderr.trim().split('\n').slice(-5).join('\n') },
  });
}
