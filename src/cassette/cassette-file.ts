import { closeSync, fdatasyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { KitError, messageOf } from '../domain/errors.js';

const PLACE_PROBLEMS: Readonly<Record<string, string>> = {
  EEXIST: 'it is there already',
  ENOENT: 'its directory does not exist',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'it is a directory',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/**
 * Opens a file that does not exist, for this user alone. Throws KIT_USAGE for a place that cannot
 * be used.
 */
export function openNew(file: string): number {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const problem = PLACE_PROBLEMS[code] ?? messageOf(error);
    throw new KitError('KIT_USAGE', `cannot record into ${file}: ${problem}`, {
      hint:
        code === 'EEXIST'
          ? 'A recording never replaces a file: remove it, or name another.'
          : 'Name a file in a directory that you can write to.',
      cause: error,
    });
  }
}

/** Appends, and returns when the bytes are on the disk. */
export function appendDurably(fd: number, text: string): void {
  writeFileSync(fd, text);
  fdatasyncSync(fd);
}

/** Puts another text in the place of a file, whole or not at all. */
export function replaceFile(file: string, text: string): void {
  const next = `${file}.${process.pid}.tmp`;
  const fd = openNew(next);
  try {
    appendDurably(fd, text);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}
