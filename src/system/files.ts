import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from '../domain/ports/system.js';

type Listed = { readonly name: string; readonly kind: 'file' | 'directory' | 'other' };

/** Codes that mean "there is nothing of that kind here"; every other failure is one. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG']);

async function orNull<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== undefined && ABSENT.has(code)) return null;
    throw error;
  }
}

/** A symbolic link counts as what it points at; whether it leaves the workspace is for `realPath` to tell. */
async function kindOf(path: string): Promise<Listed['kind']> {
  const found = await orNull(stat(path));
  if (found?.isFile()) return 'file';
  return found?.isDirectory() ? 'directory' : 'other';
}

/** The file system of this machine. Lists are sorted by code unit, so that two machines see one order. */
export const nodeFiles: Files = {
  readText: (path) => orNull(readFile(path, 'utf8')),
  readBytes: (path) => orNull(readFile(path)),
  sizeBytes: async (path) => (await orNull(stat(path)))?.size ?? null,
  realPath: (path) => orNull(realpath(path)),
  async list(directory) {
    const names = await orNull(readdir(directory));
    if (names === null) return null;
    const sorted = names.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return Promise.all(sorted.map(async (name) => ({ name, kind: await kindOf(join(directory, name)) })));
  },
};
