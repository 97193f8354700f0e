import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';

const MIB = 1024 * 1024;
/**
 * Of a diff. It is held as one text, masked, hashed and stored, and people read it: one of 240 MiB
 * took 1.6 GiB of the process that other runs live in.
 */
export const MAX_DIFF_BYTES = 64 * MIB;
/** Of all changed files: git gets no more of them, for it packs a hole of 3 GB for a minute. */
const MAX_CHANGED_BYTES = 512 * MIB;
const AT_ONCE = 64;
const NAMED = 3;

interface Changed {
  readonly tree: string;
  /** Relative to the tree; one that is gone is of no size. */
  readonly paths: readonly string[];
}

/** Throws KIT_SANDBOX_UNAVAILABLE, before any of the files is read, when they are too large. */
export async function refuseLargeFiles(changed: Changed): Promise<void> {
  const sizes = await sizesOf(changed);
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_CHANGED_BYTES) throw tooLarge(sizes);
}

/** What git had to say of them was more than MAX_DIFF_BYTES. */
export const largeDiff = async (changed: Changed): Promise<KitError> => tooLarge(await sizesOf(changed));

interface Sized {
  readonly path: string;
  readonly bytes: number;
}

async function sizesOf({ tree, paths }: Changed): Promise<readonly Sized[]> {
  const sizes: Sized[] = [];
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    const some = paths.slice(at, at + AT_ONCE).map(async (path) => {
      const info = await lstat(join(tree, path)).catch(() => null);
      return { path, bytes: info?.isFile() === true ? info.size : 0 };
    });
    sizes.push(...(await Promise.all(some)));
  }
  return sizes;
}

function tooLarge(sizes: readonly Sized[]): KitError {
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, NAMED);
  const named = largest.map(({ path, bytes }) => `${path} (${(bytes / MIB).toFixed(1)} MiB)`).join(', ');
  const more = sizes.length > NAMED ? ` and ${sizes.length - NAMED} more` : '';
  return new KitError(
    'KIT_SANDBOX_UNAVAILABLE',
    `the change is too large for a diff, which holds ${MAX_DIFF_BYTES / MIB} MiB: ${named}${more}; list builds and data in .gitignore`,
    { hint: 'List builds and data in .gitignore, or let the agent write them outside its worktree.' },
  );
}
