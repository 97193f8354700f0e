import { KitError } from '../../domain/errors.js';
import type { Files } from '../../domain/ports/system.js';
import type { EditPlace } from './edit-place.js';
import { etagOf } from './preconditions.js';

/** A file as it stands. */
export interface CurrentFile {
  /** Bytes that are not UTF-8 show as U+FFFD. */
  readonly text: string;
  readonly etag: string;
  /** False: writing `text` back would change bytes that nobody meant. */
  readonly isText: boolean;
}

/** Null when there is no file. */
export async function readCurrent(files: Pick<Files, 'readBytes'>, path: string): Promise<CurrentFile | null> {
  const bytes = await files.readBytes(path);
  if (bytes === null) return null;
  // A byte order mark is part of the text: it is written back.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { text, etag: etagOf(bytes), isText: Buffer.from(text).equals(bytes) };
}

/** An editor of its own may have written the file while it was judged. Throws KIT_EDIT_STALE. */
export async function assertUnchanged(
  { place, before }: { readonly place: EditPlace; readonly before: CurrentFile | null },
  files: Pick<Files, 'readBytes'>,
): Promise<void> {
  const now = await readCurrent(files, place.asked);
  if ((now?.etag ?? null) !== (before?.etag ?? null))
    throw new KitError('KIT_EDIT_STALE', `${place.path} was changed by somebody else meanwhile`);
}
