import { constants } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import type { IsLeftOut, OpenedSource, SourceBounds, SourceEntry } from '../../domain/ports/workspace-sources.js';

async function entryAt(root: string, path: string, isLeftOut: IsLeftOut): Promise<SourceEntry | 'folder'> {
  const full = join(root, path);
  const found = await lstat(full);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isLeftOut(name)) return { path, kind: 'skipped', bytes: 0, target: null };
  if (found.isDirectory()) return 'folder';
  if (found.isSymbolicLink()) return { path, kind: 'link', bytes: 0, target: await readlink(full) };
  return { path, kind: found.isFile() ? 'file' : 'other', bytes: found.size, target: null };
}

/** Opened so that a link or a pipe that took the place of a file since is not followed. */
async function contentOf(root: string, path: string): Promise<Uint8Array> {
  const handle = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new KitError('KIT_USAGE', `--from: ${path} changed while it was read`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** A directory of this machine, as it lies there. */
export async function openDirectory(
  root: string,
  { maxEntries }: SourceBounds,
  isLeftOut: IsLeftOut,
): Promise<OpenedSource> {
  const entries: SourceEntry[] = [];
  const open = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const name of (await readdir(join(root, folder))).sort()) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const entry = await entryAt(root, path, isLeftOut);
      if (entry === 'folder') open.push(path);
      else entries.push(entry);
      if (entries.length + open.length > maxEntries)
        throw new KitError('KIT_USAGE', `--from: ${root} holds more than ${maxEntries} files and folders`, {
          hint: 'Give the directory of the workspace alone. Nothing was written.',
        });
    }
  }
  return {
    origin: { kind: 'directory', path: root },
    entries,
    read: async (paths) =>
      new Map(await Promise.all(paths.map(async (path) => [path, await contentOf(root, path)] as const))),
    close: async () => {},
  };
}
