import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkerHost } from '../../domain/ports/stores.js';
import { livenessOf } from '../worker-host.js';
import { rootsOf, type WorktreePlaces } from './place.js';
import { HOME_PREFIX, homeAt, readRecord, type WorktreeHome, type WorktreeRecord } from './record.js';
import { removeWorktree } from './remove.js';

/** A home without a record is one whose owner died, or is still about to write it. */
const UNRECORDED_AGE_MS = 60 * 60_000;

export interface SweepRequest extends WorktreePlaces {
  readonly here: WorkerHost;
  /** State directory whose worktrees are looked at; absent = those of all. */
  readonly store?: string;
  /**
   * True for worktrees that a run may still want: a takeover goes on in the worktree of its
   * predecessor (docs/design/journal.md#harness-sessions), so those in the journal of a run that
   * has not ended stay. Given the path as `Worktree.path` had it.
   */
  readonly isWanted: (path: string, jobId: string | null) => Promise<boolean>;
}

/**
 * Removes worktrees whose process is dead and that nobody wants; answers their paths. Those of
 * other hosts and boots count as dead.
 */
export async function sweepWorktrees(request: SweepRequest): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const home of await homesIn(request)) {
    const path = await sweepOne(home, request);
    if (path !== null) removed.push(path);
  }
  return removed;
}

/** Those of this user, wherever they were made. */
async function homesIn(places: WorktreePlaces): Promise<readonly WorktreeHome[]> {
  const homes: WorktreeHome[] = [];
  for (const root of await rootsOf(places)) {
    const names = (await readdir(root)).filter((name) => name.startsWith(HOME_PREFIX));
    for (const home of names.map((name) => homeAt(join(root, name)))) if (await isOurs(home)) homes.push(home);
  }
  return homes;
}

/**
 * Removes what a run has of worktrees here, whoever made them: it begins its sessions anew. Nobody
 * else may be at work on it. Answers their paths.
 */
export async function discardWorktrees(
  request: WorktreePlaces & { readonly store: string; readonly jobId: string },
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const home of await homesIn(request)) {
    const record = await readRecord(home);
    if (record === null || record.jobId !== request.jobId || record.store !== request.store) continue;
    await removeWorktree(home, record);
    removed.push(pathOf(record));
  }
  return removed;
}

const pathOf = ({ tree, prefix }: Pick<WorktreeRecord, 'tree' | 'prefix'>): string =>
  join(tree, prefix).replace(/\/$/, '');

async function sweepOne(home: WorktreeHome, request: SweepRequest): Promise<string | null> {
  const record = await readRecord(home);
  if (record === null) {
    if (request.store !== undefined) return null;
    const { mtimeMs } = await lstat(home.directory);
    if (Date.now() - mtimeMs < UNRECORDED_AGE_MS) return null;
    await removeWorktree(home, null);
    return home.tree;
  }
  if (request.store !== undefined && record.store !== request.store) return null;
  const path = pathOf(record);
  if (livenessOf(record.owner, request.here) === 'alive') return null;
  if (record.state === 'ready' && (await request.isWanted(path, record.jobId))) return null;
  await removeWorktree(home, record);
  return path;
}

/**
 * The folder for temporary files is open to everybody: only a real directory of this user is
 * touched.
 */
async function isOurs(home: WorktreeHome): Promise<boolean> {
  const info = await lstat(home.directory).catch(() => null);
  return info?.isDirectory() === true && info.uid === process.getuid?.();
}
