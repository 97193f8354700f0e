import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { KitError } from '../domain/errors.js';
import type { FileEdits } from '../domain/ports/system.js';

/** The calls of the file system that an edit is made of; a test lets each of them fail. */
export interface EditCalls {
  mkdir(path: string): Promise<unknown>;
  /** Permission bits; null when there is no file. */
  mode(path: string): Promise<number | null>;
  /** Makes a new file, writes it and forces it to the disk. */
  write(path: string, text: string, mode: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A file that is not there is not an error. */
  remove(path: string): Promise<void>;
  syncDirectory(path: string): Promise<void>;
}

const NEW_FILE_MODE = 0o644;
const MODE_BITS = 0o777;

async function writeSynced(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.chmod(mode); // what umask took away
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The calls of this machine. */
export const nodeEditCalls: EditCalls = {
  mkdir: (path) => mkdir(path, { recursive: true }),
  mode: async (path) => {
    try {
      return (await stat(path)).mode & MODE_BITS;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  },
  write: writeSynced,
  rename,
  remove: (path) => rm(path, { force: true }),
  syncDirectory: async (path) => {
    const directory = await open(path, 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  },
};

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this process may not write there',
  EPERM: 'this process may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
};

function failed(path: string, cause: unknown): KitError {
  const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? 'the file system refused';
  return new KitError('KIT_EDIT_FAILED', `${basename(path)} cannot be written: ${reason}`, { cause });
}

/**
 * Edits on the disk of this machine. The text goes into a hidden file beside the old one, is forced
 * to the disk, and is renamed over it. A process that dies in between leaves the old file, and
 * perhaps the hidden one, which nothing reads.
 *
 * Throws KIT_EDIT_FAILED.
 */
export function createFileEdits(calls: EditCalls = nodeEditCalls): FileEdits {
  // The change is made by then; some file systems cannot sync a directory, and nobody is helped by
  // a failure that is none.
  const settle = (path: string): Promise<void> => calls.syncDirectory(dirname(path)).catch(() => undefined);
  return {
    async replace(path, text) {
      const fresh = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.kit-edit`);
      try {
        await calls.mkdir(dirname(path));
        await calls.write(fresh, text, (await calls.mode(path)) ?? NEW_FILE_MODE);
        await calls.rename(fresh, path);
      } catch (error) {
        await calls.remove(fresh).catch(() => undefined);
        throw failed(path, error);
      }
      await settle(path);
    },
    async remove(path) {
      try {
        await calls.remove(path);
      } catch (error) {
        throw failed(path, error);
      }
      await settle(path);
    },
  };
}
