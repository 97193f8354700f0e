import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { NewFiles } from '../domain/ports/system.js';

/** New files on this machine's disk; the system itself refuses to replace one (`wx`). */
export const nodeNewFiles: NewFiles = {
  async create(path, text) {
    await mkdir(dirname(path), { recursive: true });
    try {
      await writeFile(path, text, { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  },
};
