import { copyFile, stat, utimes } from 'node:fs/promises';

/**
 * Copies a git index so that git may write the copy. The copy is dated no later than the original:
 * git trusts its cached file times only for files older than the index, and a younger copy would
 * hide a change made in the second in which the index was written.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(from);
    await copyFile(from, to);
    const seconds = Math.floor(mtimeMs / 1000);
    await utimes(to, seconds, seconds);
  } catch (error) {
    // A repository may have no index; git takes a missing file for an empty one.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
