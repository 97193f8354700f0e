import { copyFile, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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
    onAbsent(null)(error);
  }
}

/** Whether a file is text is told by what it holds. */
const BY_CONTENT = '* !diff\n';

/**
 * Makes a folder that git can take for the common one of a repository: all of it by links, and
 * attributes that win over each `.gitattributes` of the tree. An agent writes those, and with
 * `* -diff` its work would be shown to people in base 85. What the user wrote into the repository's
 * own `info/attributes` wins over kit.
 */
export async function linkCommonDir(commonDir: string, folder: string): Promise<void> {
  const info = join(folder, 'info');
  await mkdir(info, { recursive: true });
  await linkAll(commonDir, folder, 'info');
  await linkAll(join(commonDir, 'info'), info, 'attributes');
  const own = await readFile(join(commonDir, 'info', 'attributes'), 'utf8').catch(onAbsent(''));
  await writeFile(join(info, 'attributes'), `${BY_CONTENT}${own}`);
}

async function linkAll(from: string, to: string, except: string): Promise<void> {
  const names = await readdir(from).catch(onAbsent([]));
  for (const name of names) if (name !== except) await symlink(join(from, name), join(to, name));
}

const onAbsent =
  <T>(fallback: T) =>
  (error: unknown): T => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return fallback;
    throw error;
  };
