import { join } from 'node:path';
import { listAt, textAt } from '../../compile/read.js';
import type { JsonObject } from '../../domain/json.js';
import type { Files } from '../../domain/ports/system.js';
import { isBelow } from '../../lib/is-inside.js';
import { isObject } from '../../lib/json.js';
import { overlayFiles } from './overlay-files.js';
import { etagOf } from './preconditions.js';

/** In the directory of a workspace, as long as a change of several files is under way. */
export const PENDING_EDIT = '.kit-edit.json';

/** One file of a change. */
export interface PendingFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** Tag of the file that is replaced; null = there is none. */
  readonly before: string | null;
  /** Null: the file goes. */
  readonly text: string | null;
}

/**
 * A change of several files that was decided and perhaps not written everywhere. `place`: the
 * directory as its file system knows it, which nobody who sends a repository can know: a file of
 * this name that comes with one means nothing.
 */
export interface PendingEdit {
  readonly place: string;
  readonly files: readonly PendingFile[];
}

/** Device and number of the directory; null where the files cannot tell. */
export async function placeIdOf(files: Files, root: string): Promise<string | null> {
  const stamp = await files.stamp?.(root);
  return stamp?.text.split(' ').slice(0, 2).join(' ') ?? null;
}

export const pendingText = (edit: PendingEdit): string => `${JSON.stringify(edit)}\n`;

function fileOf(value: JsonObject): PendingFile | null {
  const path = textAt(value, 'path');
  return path === null ? null : { path, before: textAt(value, 'before'), text: textAt(value, 'text') };
}

/** The change that a process which died left behind; null = none, or one of another place. */
export async function readPending(files: Files, root: string): Promise<PendingEdit | null> {
  const text = await files.readText(join(root, PENDING_EDIT));
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const place = textAt(value, 'place');
  if (place === null || place !== (await placeIdOf(files, root))) return null;
  const read = listAt(value, 'files')
    .filter(isObject)
    .flatMap((one) => fileOf(one) ?? []);
  return { place, files: read.filter(({ path }) => isBelow(root, join(root, path))) };
}

/** The files that a change has not reached yet: a file that was edited since stays as it is. */
export async function missingOf(files: Files, root: string, edit: PendingEdit): Promise<readonly PendingFile[]> {
  const tags = await Promise.all(
    edit.files.map(async ({ path }) => {
      const bytes = await files.readBytes(join(root, path));
      return bytes === null ? null : etagOf(bytes);
    }),
  );
  return edit.files.filter(({ before }, at) => tags[at] === before);
}

/** The files of a workspace as a change that was decided makes them. */
export async function withPending(files: Files, root: string): Promise<Files> {
  const edit = await readPending(files, root);
  if (edit === null) return files;
  const missing = await missingOf(files, root, edit);
  return missing.reduce((all, { path, text }) => overlayFiles(all, join(root, path), text), files);
}
