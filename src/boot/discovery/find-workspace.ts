import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FoundWorkspace } from '../../cli/process-settings.js';
import { WORKSPACE_FILES } from '../../compile/discover/layout.js';

/** Where a search begins and where it ends. */
export interface SearchFrom {
  /** Absolute. */
  readonly cwd: string;
  /** Home of the user, absolute; null = unknown. The search does not go above it. */
  readonly home: string | null;
  /** Number of the user; null where the system has none, and owners are not looked at. */
  readonly userId: number | null;
}

/**
 * Entries of a directory that are looked into for a workspace; a larger one is nobody's project.
 */
const MAX_CHILDREN = 200;

/**
 * The workspace of whoever named none: the current directory, else the nearest one above it, else
 * the only one directly below it (docs/design/decisions.md#workspace-search). The search ends at
 * the
 * home directory, at the root of a repository and at the edge of a file system; what another user
 * owns, or anybody may write to, is passed over.
 */
export function findWorkspace({ cwd, home, userId }: SearchFrom): FoundWorkspace {
  if (holdsWorkspace(cwd)) return { kind: 'here' };
  const from = statSync(cwd, { throwIfNoEntry: false });
  for (let dir = cwd; !isEnd(dir, home); ) {
    dir = dirname(dir);
    const stat = statSync(dir, { throwIfNoEntry: false });
    if (stat === undefined || stat.dev !== from?.dev) break;
    if (isOwn(dir, userId) && holdsWorkspace(dir, userId)) return { kind: 'above', directory: dir };
  }
  const below = childrenOf(cwd).filter((dir) => isOwn(dir, userId) && holdsWorkspace(dir, userId));
  const [only, another] = below;
  if (only === undefined) return { kind: 'none' };
  return another === undefined ? { kind: 'below', directory: only } : { kind: 'several', directories: below };
}

/** Nothing above this one is looked at. */
const isEnd = (dir: string, home: string | null): boolean =>
  dirname(dir) === dir || (home !== null && dir === resolve(home)) || statOf(join(dir, '.git')) !== undefined;

const statOf = (path: string) => statSync(path, { throwIfNoEntry: false });

/** Written by this user alone: a workspace names programs that kit starts. */
function isOwn(path: string, userId: number | null): boolean {
  const stat = statOf(path);
  return stat !== undefined && (userId === null || (stat.uid === userId && (stat.mode & 0o002) === 0));
}

/** `userId` undefined: whoever stands in a directory has chosen it. */
const holdsWorkspace = (dir: string, userId?: number | null): boolean =>
  WORKSPACE_FILES.some((name) => {
    const path = join(dir, name);
    return statOf(path)?.isFile() === true && (userId === undefined || isOwn(path, userId));
  });

/** A directory that cannot be read has none. */
function childrenOf(dir: string): readonly string[] {
  try {
    const entries = readdirSync(dir, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    return folders.length > MAX_CHILDREN ? [] : folders.map(({ name }) => join(dir, name)).sort();
  } catch {
    return [];
  }
}
