import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of a workspace that a proof has written, by their paths. */
export async function filesBelow(directory: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path.slice(directory.length + 1), await readFile(path, 'utf8')])),
  );
}
