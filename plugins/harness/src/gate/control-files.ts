import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fitsGlob } from '@kit-run/kit/plugin';
import type { CallPlace } from './classify.js';
import type { AdapterGate } from './gate-spec.js';

/**
 * Folders that are looked into below the first segments of a glob: what a program obeys lies high.
 */
const MAX_ENTRIES = 10_000;

/**
 * The first file of the worktree that the program obeys, at the directory that it works in or at
 * the top; null: there is none. A folder with too many entries to look at counts as one.
 */
export async function controlFileIn(
  { controlFiles }: Pick<AdapterGate, 'controlFiles'>,
  { cwd, top }: CallPlace,
): Promise<string | null> {
  for (const folder of new Set([top, cwd])) {
    for (const glob of controlFiles) {
      const found = await findIn(folder, glob.split('/'));
      if (found !== null) return found;
    }
  }
  return null;
}

/** A file below a folder that fits the segments of a glob; `**` at its end stands for all below. */
async function findIn(folder: string, [segment = '', ...rest]: readonly string[]): Promise<string | null> {
  if (segment === '**') return folder;
  const names = segment.includes('*') ? await namesIn(folder) : [segment];
  if (names === null) return folder;
  for (const name of names.filter((one) => fitsGlob(segment, one))) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => null);
    if (stats === null) continue;
    if (rest.length === 0 || !stats.isDirectory()) return path;
    const found = await findIn(path, rest);
    if (found !== null) return found;
  }
  return null;
}

async function namesIn(folder: string): Promise<readonly string[] | null> {
  const names = await readdir(folder).catch(() => []);
  return names.length > MAX_ENTRIES ? null : names;
}
