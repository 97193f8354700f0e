import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrittenPath } from '../../domain/ports/repository.js';
import { diffFiles } from '../../lib/diff-files.js';
import type { Git, GitCall } from '../worktrees/git.js';

/**
 * Brings the index to what lies in the working tree: tracked files as they are. Submodules stay as
 * they are: `git add` would ask for the state of each, by what their own configuration says.
 */
export async function snapshotIndex(git: Git, call: GitCall): Promise<void> {
  const stdin = await git.expect(['diff-files', '--name-only', '-z', '--ignore-submodules=all'], call);
  if (stdin !== '') await git.expect(['update-index', '--remove', '-z', '--stdin'], { ...call, stdin });
}

/**
 * An untracked file in the way of a patch is part of what is there: it is merged with, never
 * overwritten.
 */
export async function addUntracked(git: Git, call: GitCall, diff: string): Promise<void> {
  const there: string[] = [];
  for (const { path } of diffFiles(diff)) {
    const info = await lstat(join(call.cwd, path)).catch(() => null);
    if (info !== null && !info.isDirectory()) there.push(path);
  }
  if (there.length === 0) return;
  await git.expect(['--literal-pathspecs', 'add', '--force', '--pathspec-from-file=-', '--pathspec-file-nul'], {
    ...call,
    stdin: there.map((path) => `${path}\0`).join(''),
  });
}

/** Lines of git's own words that a conflict quotes. */
const QUOTED_LINES = 8;

const REFUSED =
  /^error: (.*): (?:patch does not apply|does not exist in index|already exists in index|does not match index)$/;

/** Applies one patch to the index, three-way where the blobs are known; null = it fits. */
export async function mergeOne(
  git: Git,
  call: GitCall,
  diff: string,
): Promise<{ readonly paths: readonly string[]; readonly detail: string } | null> {
  if (diff === '') return null;
  const { exitCode, stderr } = await git.call(['apply', '--cached', '--3way', '--whitespace=nowarn', '-'], {
    ...call,
    stdin: diff,
  });
  if (exitCode === 0) return null;
  const unmerged = await git.expect(['ls-files', '--unmerged', '-z'], call);
  const paths = unmerged.split('\0').flatMap((line) => (line === '' ? [] : [line.slice(line.indexOf('\t') + 1)]));
  const lines = stderr.trim().split('\n');
  const named = lines.flatMap((line) => REFUSED.exec(line)?.[1] ?? []);
  return {
    paths: [...new Set([...paths, ...named])],
    detail: lines.slice(-QUOTED_LINES).join('\n'),
  };
}

/** What differs between two trees, without guessing at renames. */
export async function pathsBetween(
  git: Git,
  call: GitCall,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<readonly WrittenPath[]> {
  const output = await git.expect(
    ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', before, after],
    call,
  );
  const fields = output.split('\0');
  const paths: WrittenPath[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , blob = '', status = ''] = (fields[at] ?? '').split(' ');
    paths.push({
      path: fields[at + 1] ?? '',
      change: status === 'A' ? 'added' : status === 'D' ? 'deleted' : 'changed',
      linkTo: mode === LINK_MODE ? await git.expect(['cat-file', 'blob', blob], call) : null,
    });
  }
  return paths;
}

const LINK_MODE = '120000';
