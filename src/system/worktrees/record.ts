import { readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { WorkerHost } from '../../domain/ports/stores.js';

/**
 * Every worktree has a directory `<root>/kit-worktree-XXXXXX` of its own, which holds the tree and
 * what kit knows of it.
 */
export const HOME_PREFIX = 'kit-worktree-';
const RECORD_FILE = 'worktree.json';
const RECORD_FORMAT = 1;

/**
 * Written before git is asked for anything, so that a crash at any moment leaves something that the
 * sweep can undo.
 */
export interface WorktreeRecord {
  readonly format: typeof RECORD_FORMAT;
  readonly state: 'creating' | 'ready';
  /** The process that answers for it. */
  readonly owner: WorkerHost;
  readonly commonDir: string;
  /** Root of the worktree. */
  readonly tree: string;
  /** Where the workspace lies below the root: '' or ending in '/'. */
  readonly prefix: string;
  readonly baseCommit: string;
  /** Linked folders, relative to the root. */
  readonly links: readonly string[];
  readonly notIncluded: readonly string[];
  /**
   * It is there to be read: every file that differs counts, those that git is told to ignore as
   * well. Absent in older records: no.
   */
  readonly isView?: boolean;
  /** State directory of the workspace and run that it was made for; null = not said. */
  readonly store: string | null;
  readonly jobId: string | null;
}

/** Files of one worktree's home. */
export interface WorktreeHome {
  readonly directory: string;
  readonly tree: string;
  /** Index of the starting state. */
  readonly startIndex: string;
  /** Objects of the starting state, kept out of the user's repository. */
  readonly objects: string;
  /** For what a program keeps of its session. */
  readonly companion: string;
}

export function homeAt(directory: string): WorktreeHome {
  return {
    directory,
    tree: join(directory, `wt-${basename(directory).slice(HOME_PREFIX.length)}`),
    startIndex: join(directory, 'start.index'),
    objects: join(directory, 'objects'),
    companion: join(directory, 'program'),
  };
}

/** The home that a path inside a worktree belongs to; null when it is none of these folders. */
export async function homeOf(path: string, roots: readonly string[]): Promise<WorktreeHome | null> {
  const real = await realpath(path).catch(() => null);
  const root = real === null ? undefined : roots.find((one) => real.startsWith(one + sep));
  if (real === null || root === undefined) return null;
  let directory = real;
  while (dirname(directory) !== root) directory = dirname(directory);
  return basename(directory).startsWith(HOME_PREFIX) ? homeAt(directory) : null;
}

export async function writeRecord(home: WorktreeHome, record: Omit<WorktreeRecord, 'format'>): Promise<void> {
  const file = join(home.directory, RECORD_FILE);
  await writeFile(`${file}.new`, JSON.stringify({ format: RECORD_FORMAT, ...record }), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** null when it is missing, torn or of another format. */
export async function readRecord(home: WorktreeHome): Promise<WorktreeRecord | null> {
  try {
    // Written by `writeRecord` alone, into a directory that only this user can enter; the checks
    // catch another version.
    const record = JSON.parse(await readFile(join(home.directory, RECORD_FILE), 'utf8')) as WorktreeRecord;
    return record.format === RECORD_FORMAT && record.tree === home.tree ? record : null;
  } catch {
    return null;
  }
}
