import { join } from 'node:path';
import type { Files } from '../domain/ports/system.js';

/** One file of a template: path with forward slashes, relative to the template. */
export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

/** All text files of a template below `folder`, hidden directories left out. */
export async function filesBelow(files: Files, root: string, folder: string): Promise<readonly TemplateFile[]> {
  const entries = (await files.list(join(root, folder))) ?? [];
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly TemplateFile[]> => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.kind === 'directory') return entry.name.startsWith('.') ? [] : filesBelow(files, root, path);
      const text = entry.kind === 'file' ? await files.readText(join(root, path)) : null;
      return text === null ? [] : [{ path, text }];
    }),
  );
  return found.flat();
}
