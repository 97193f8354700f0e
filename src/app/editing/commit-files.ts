import { join } from 'node:path';
import type { FileEdits, Files } from '../../domain/ports/system.js';
import type { WorkspaceFiles } from '../workspace-files.js';
import { assertUnchanged, type CurrentFile } from './current-file.js';
import type { EditPlace } from './edit-place.js';
import { missingOf, PENDING_EDIT, type PendingEdit, pendingText, placeIdOf, readPending } from './pending-edit.js';
import { etagOf } from './preconditions.js';

/** One file of a change, with what it was when the change was planned. */
export interface PlannedFile {
  readonly place: EditPlace;
  /** Null: there is no such file. */
  readonly before: CurrentFile | null;
  readonly text: string;
}

export interface CommitFilesDeps {
  /** The real files. */
  readonly files: Files;
  readonly edits: FileEdits;
}

/** Writes what is missing of a change, and takes the note of it away. */
async function carryOut(root: string, edit: PendingEdit, { files, edits }: CommitFilesDeps): Promise<void> {
  for (const { path, text } of await missingOf(files, root, edit)) {
    const asked = join(root, path);
    if (text === null) await edits.remove(asked);
    else await edits.replace((await files.realPath(asked)) ?? asked, text);
  }
  await edits.remove(join(root, PENDING_EDIT));
}

/**
 * Finishes what a process that died in the middle of a change left behind. Whoever changes a
 * workspace asks for this first. Throws KIT_EDIT_FAILED.
 */
export async function finishPending({ root }: Pick<WorkspaceFiles, 'root'>, deps: CommitFilesDeps): Promise<void> {
  const edit = await readPending(deps.files, root);
  if (edit !== null) await carryOut(root, edit, deps);
}

/** The change that takes another one back, whatever of it was written. */
const reverseOf = (edit: PendingEdit, changes: readonly PlannedFile[]): PendingEdit => ({
  place: edit.place,
  files: changes.map(({ place, before, text }) => ({
    path: place.path,
    before: etagOf(text),
    text: before?.text ?? null,
  })),
});

/**
 * Writes all files of a change or none. What is to be written is noted first, in one file and one
 * step: from then on kit reads the workspace as changed, also after a process that died before the
 * last file was written (`withPending`), and the next change finishes it. A file that cannot be
 * written takes the whole change back.
 *
 * Throws KIT_EDIT_STALE for a file that is not what it was when the change was planned, and
 * KIT_EDIT_FAILED.
 */
export async function commitFiles(
  { root }: Pick<WorkspaceFiles, 'root'>,
  planned: readonly PlannedFile[],
  deps: CommitFilesDeps,
): Promise<void> {
  for (const file of planned) await assertUnchanged(file, deps.files);
  const changes = planned.filter(({ before, text }) => before?.etag !== etagOf(text));
  const [only, ...others] = changes;
  if (only === undefined) return;
  if (others.length === 0) return deps.edits.replace(only.place.real, only.text);
  const edit: PendingEdit = {
    place: (await placeIdOf(deps.files, root)) ?? '',
    files: changes.map(({ place, before, text }) => ({ path: place.path, before: before?.etag ?? null, text })),
  };
  const note = join(root, PENDING_EDIT);
  await deps.edits.replace(note, pendingText(edit));
  try {
    await carryOut(root, edit, deps);
  } catch (error) {
    const reverse = reverseOf(edit, changes);
    await deps.edits.replace(note, pendingText(reverse));
    await carryOut(root, reverse, deps);
    throw error;
  }
}
