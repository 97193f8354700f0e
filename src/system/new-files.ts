import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KitError } from '../domain/errors.js';
import type { NewFiles } from '../domain/ports/system.js';

/** What the place is to blame for, in words; everything else is a failure of ours. */
const PLACE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a part of the path is a file',
};

function refusal(path: string, error: unknown): unknown {
  const problem = PLACE_PROBLEMS[(error as NodeJS.ErrnoException).code ?? ''];
  return problem === undefined
    ? error
    : new KitError('KIT_USAGE', `cannot write ${path}: ${problem}`, {
        hint: 'Choose another directory.',
        cause: error,
      });
}

/**
 * New files on this machine's disk; the system itself refuses to replace one (`wx`). Throws
 * KIT_USAGE for an unusable place.
 */
export const nodeNewFiles: NewFiles = {
  async create(path, content) {
    try {
      await mkdir(dirname(path), { recursive: true });
    } catch (error) {
      throw refusal(dirname(path), error);
    }
    try {
      await writeFile(path, content, { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw refusal(path, error);
    }
  },
};
