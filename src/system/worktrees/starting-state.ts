import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { addNewFiles, type TrackedChange } from './carry.js';
import { largeDiff, MAX_DIFF_BYTES, refuseLargeFiles } from './change-size.js';
import { exactDiff } from './exact-diff.js';
import { type Git, type GitCall, stdoutOf } from './git.js';
import { copyIndex, linkCommonDir } from './git-copies.js';
import { isBelow, KIT_FILES } from './links.js';
import type { WorktreeHome, WorktreeRecord } from './record.js';

export interface StartingState {
  readonly home: WorktreeHome;
  readonly record: Pick<WorktreeRecord, 'commonDir' | 'links' | 'prefix' | 'isView'>;
  /** Administrative directory of the worktree inside the repository. */
  readonly gitDir: string;
}

/**
 * Records the tree as it stands now, carried changes included; later diffs are taken against it.
 */
export async function recordStartingState(
  git: Git,
  state: StartingState,
  changes: readonly TrackedChange[],
): Promise<void> {
  await mkdir(state.home.objects, { recursive: true });
  await copyIndex(join(state.gitDir, 'index'), state.home.startIndex);
  // Deletions first, and without a look at the tree: where a directory was, a link may lie now.
  await updateIndex(
    git,
    state,
    ['--force-remove'],
    changes.filter((change) => change.isDeleted),
  );
  await updateIndex(
    git,
    state,
    ['--add', '--remove', '--replace'],
    changes.filter((change) => !change.isDeleted),
  );
}

async function updateIndex(
  git: Git,
  state: StartingState,
  how: readonly string[],
  changes: readonly TrackedChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const stdin = changes.map((change) => `${change.path}\0`).join('');
  await git.expect(['update-index', ...how, '-z', '--stdin'], { ...at(state, state.home.startIndex), stdin });
}

/**
 * Unified diff from the starting state to the files as they are, new ones included; '' = nothing
 * changed.
 */
export async function diffFromStart(git: Git, state: StartingState, of: 'files' | 'media'): Promise<string> {
  const name = `diff-${randomBytes(6).toString('hex')}`;
  const indexFile = join(state.home.directory, `${name}.index`);
  const commonDir = join(state.home.directory, `${name}.common`);
  try {
    await copyIndex(state.home.startIndex, indexFile);
    await linkCommonDir(state.record.commonDir, commonDir);
    const call = at(state, indexFile, commonDir);
    const excluded = excludedPaths(state);
    const { isView = false } = state.record;
    const { repositories, base, changed } = await addNewFiles(git, call, {
      which: isView ? 'all' : 'not-ignored',
      isLeftOut: (path) => excluded.some((folder) => isBelow(path.replace(/\/$/, ''), folder)),
    });
    const than = base === null ? [] : [base];
    const work = { tree: state.home.tree, paths: of === 'media' ? changed.filter(isMedia) : changed };
    await refuseLargeFiles(work);
    const left = excluded.map((path) => `:(exclude,top,literal)${path}`);
    const diff = await exactDiff(async (options) => {
      const args = ['diff', ...DIFF_OPTIONS, ...options, ...than, '--', ...PATHS[of], ...left];
      const output = await git.call(args, { ...call, maxBytes: MAX_DIFF_BYTES, encoding: 'latin1' });
      if (output.isTooLong) throw await largeDiff(work);
      return stdoutOf(args, output);
    }, commonDir);
    if (of === 'media' || !isView) return diff;
    return `${diff}${repositories.map((path) => `a repository was made: ${path}\n`).join('')}`;
  } finally {
    await rm(indexFile, { force: true });
    await rm(`${indexFile}.lock`, { force: true });
    await rm(commonDir, { recursive: true, force: true });
  }
}

/**
 * What people look at or listen to instead of reading it; told by the ending of the name, as other
 * programs do.
 */
const MEDIA =
  'png jpg jpeg gif webp avif svg bmp ico tif tiff heic heif mp3 wav flac ogg oga opus m4a aac aiff mp4 m4v mov webm mkv avi ogv pdf'.split(
    ' ',
  );

const isMedia = (path: string): boolean => MEDIA.includes(path.slice(path.lastIndexOf('.') + 1).toLowerCase());

const PATHS = { files: ['.'], media: MEDIA.map((ending) => `:(top,glob,icase)**/*.${ending}`) } as const;

/** The same text whatever the user's configuration says. */
const DIFF_OPTIONS = [
  '--find-renames',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=all',
] as const;

function excludedPaths(state: StartingState): readonly string[] {
  const own = KIT_FILES.flatMap((name) => (state.record.prefix === '' ? [name] : [name, state.record.prefix + name]));
  return [...state.record.links, ...own];
}

/**
 * git in the worktree with an index of kit's own. The repository is named outright: what an agent
 * did to the worktree's `.git` file must not lead git elsewhere. New objects go to the worktree's
 * home, not into the user's repository. `commonDir` stands in for the repository's own.
 */
function at(state: StartingState, indexFile: string, commonDir = state.record.commonDir): GitCall {
  return {
    cwd: state.home.tree,
    commonDir: state.record.commonDir,
    env: {
      GIT_DIR: state.gitDir,
      GIT_WORK_TREE: state.home.tree,
      GIT_INDEX_FILE: indexFile,
      GIT_COMMON_DIR: commonDir,
      GIT_OBJECT_DIRECTORY: state.home.objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(state.record.commonDir, 'objects')),
    },
  };
}
