import type { FileEdits } from '../../domain/ports/system.js';
import type { WorkspaceDeps } from '../load-workspace.js';
import type { WorkspaceFiles } from '../workspace-files.js';
import { assertUnchanged, type CurrentFile } from './current-file.js';
import type { EditPlace } from './edit-place.js';
import type { EditReport } from './editing-app.js';
import { isLost, judge, keyOf } from './judge.js';
import { overlayFiles } from './overlay-files.js';
import { etagOf } from './preconditions.js';
import { inUse, invalidEdit } from './refusals.js';
import { type TakeOverDeps, takeOver } from './take-over.js';

/** What every edit needs from outside. */
export interface CommitDeps extends TakeOverDeps {
  /** What compiling a workspace needs; its files are the real ones. */
  readonly compile: WorkspaceDeps;
  readonly edits: FileEdits;
}

/** One file of one workspace, as it was read before the edit. */
export interface Target {
  readonly workspace: WorkspaceFiles;
  readonly place: EditPlace;
  readonly before: CurrentFile | null;
}

/**
 * Judges a file with its new text, then writes it and reloads. Throws KIT_EDIT_INVALID,
 * KIT_EDIT_STALE, KIT_EDIT_FAILED: nothing is written then.
 */
export async function commitText(
  target: Target,
  change: { readonly text: string; readonly dryRun: boolean },
  deps: CommitDeps,
): Promise<{ readonly etag: string | null; readonly report: EditReport }> {
  const { place, before } = target;
  const { root } = target.workspace;
  const { ids, errors } = await judge(root, deps.compile, overlayFiles(deps.compile.files, place.asked, change.text));
  if (errors.length > 0) {
    if (change.dryRun) return { etag: null, report: { valid: false, errors } };
    throw invalidEdit(errors);
  }
  const { topologies, skills, archetypes } = ids;
  const etag = etagOf(change.text);
  const outcome = { valid: true, topologies, skills, archetypes } as const;
  if (change.dryRun) return { etag, report: { ...outcome, written: false, reloaded: false } };
  await assertUnchanged(target, deps.compile.files);
  const isNew = before?.etag !== etag;
  if (isNew) await deps.edits.replace(place.real, change.text);
  return { etag, report: { ...outcome, written: isNew, reloaded: await takeOver(root, deps) } };
}

/**
 * What the compiler says only since something is gone: whoever named it. Throws KIT_EDIT_IN_USE;
 * and KIT_EDIT_INVALID for a workspace that had errors before, because nobody can tell then what is
 * used.
 */
export async function assertUnused(
  what: string,
  target: Target,
  textAfter: string | null,
  deps: CommitDeps,
): Promise<void> {
  const { root } = target.workspace;
  const { files } = deps.compile;
  const before = await judge(root, deps.compile, files);
  if (before.errors.length > 0) throw invalidEdit(before.errors);
  const after = await judge(root, deps.compile, overlayFiles(files, target.place.asked, textAfter));
  const known = new Set(before.warnings.map(keyOf));
  const users = [...after.errors, ...after.warnings.filter((warning) => isLost(warning) && !known.has(keyOf(warning)))];
  if (users.length > 0) throw inUse(what, users);
}

/**
 * Removes a file that nothing names, and reloads. Throws what `assertUnused` throws,
 * KIT_EDIT_STALE, KIT_EDIT_FAILED.
 */
export async function commitRemoval(
  what: string,
  target: Target,
  deps: CommitDeps,
): Promise<{ readonly reloaded: boolean }> {
  await assertUnused(what, target, null, deps);
  await assertUnchanged(target, deps.compile.files);
  await deps.edits.remove(target.place.asked);
  return { reloaded: await takeOver(target.workspace.root, deps) };
}
