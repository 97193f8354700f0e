import { join } from 'node:path';
import { applyFix } from '../compile/edit/apply-fix.js';
import type { Diagnostic } from '../domain/diagnostic.js';
import { KitError } from '../domain/errors.js';
import type { FileEdits } from '../domain/ports/system.js';
import { indexLines } from '../lib/line-index.js';
import { type CommitFilesDeps, commitFiles, finishPending, type PlannedFile } from './editing/commit-files.js';
import { readCurrent } from './editing/current-file.js';
import { editPlace } from './editing/edit-place.js';
import { overlayFiles } from './editing/overlay-files.js';
import type { FixedProblem, FixReport } from './fix-report.js';
import type { WorkspaceDeps } from './load-workspace.js';
import { validateWorkspace } from './validate-workspace.js';
import { openWorkspaceFiles, type WorkspaceFiles } from './workspace-files.js';

/** What `kit validate --fix` would write; nothing is written yet. */
export interface FixPlan {
  readonly workspace: Pick<WorkspaceFiles, 'root'>;
  readonly fixed: readonly FixedProblem[];
  readonly files: readonly PlannedFile[];
}

/** What planning and writing need from outside; the files of `compile` are the real ones. */
export interface FixDeps {
  readonly compile: WorkspaceDeps;
  readonly edits: FileEdits;
}

/** A phase shows its problems when those of the phase before are fixed. */
const MAX_PASSES = 10;

/** Later places of a file first: what was fixed moves nothing before it. */
const fromTheEnd = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.toSorted((a, b) => (b.span?.start ?? 0) - (a.span?.start ?? 0));

interface Pass {
  readonly texts: ReadonlyMap<string, string>;
  readonly fixed: readonly FixedProblem[];
}

function fixesOf(diagnostics: readonly Diagnostic[], textOf: (path: string) => string | undefined): Pass {
  const texts = new Map<string, string>();
  const fixed: FixedProblem[] = [];
  for (const { fix, path, span, code, message, hides } of fromTheEnd(diagnostics)) {
    const before = textOf(path);
    const text = texts.get(path) ?? before;
    const next = fix === undefined || text === undefined ? null : applyFix({ path, text }, fix);
    if (fix === undefined || before === undefined || next === null) continue;
    texts.set(path, next);
    const line = span === undefined ? null : indexLines(before).placeAt(span.start).line;
    fixed.push({ path, line, code, message, fix, isHidden: hides !== undefined });
  }
  return { texts, fixed: fixed.toReversed() };
}

/**
 * Null: not UTF-8, so writing it back would change bytes that nobody meant. Throws KIT_EDIT_STALE
 * for a file that is not what the fixes were made of.
 */
async function planned(
  place: WorkspaceFiles,
  { path, text, judged }: { readonly path: string; readonly text: string; readonly judged: string | undefined },
): Promise<PlannedFile | null> {
  const folder = path.includes('/') ? (path.split('/')[0] ?? '') : '';
  const where = await editPlace(place, folder, path);
  const before = await readCurrent(place.files, where.asked);
  if (before?.isText === false) return null;
  if (before === null || before.text !== judged)
    throw new KitError('KIT_EDIT_STALE', `${path} was changed by somebody else meanwhile`);
  return { place: where, before, text };
}

/**
 * Fixes what has only one right answer, again and again until nothing of that kind is left; writes
 * nothing. Throws KIT_WORKSPACE_NOT_FOUND, and KIT_EDIT_INVALID for a file that is a link out of
 * its folder.
 */
export async function planFixes(directory: string, deps: WorkspaceDeps): Promise<FixPlan> {
  const place = await openWorkspaceFiles(directory, deps.files);
  const texts = new Map<string, string>();
  const judged = new Map<string, string>();
  const fixed: FixedProblem[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const files = [...texts].reduce((all, [path, text]) => overlayFiles(all, join(place.root, path), text), deps.files);
    const { diagnostics, sources } = await validateWorkspace(directory, { ...deps, files });
    const found = fixesOf(diagnostics, (path) => texts.get(path) ?? sources.get(path));
    if (found.fixed.length === 0) break;
    fixed.push(...found.fixed);
    for (const [path, text] of found.texts) {
      if (!texts.has(path)) judged.set(path, sources.get(path) ?? '');
      texts.set(path, text);
    }
  }
  const found = await Promise.all(
    [...texts].map(([path, text]) => planned(place, { path, text, judged: judged.get(path) })),
  );
  const files = found.filter((file) => file !== null);
  const written = new Set(files.map((file) => file.place.path));
  return { workspace: { root: place.root }, fixed: fixed.filter(({ path }) => written.has(path)), files };
}

/**
 * Plans the fixes of a workspace and, with `write`, writes all of its files or none. Throws what
 * `planFixes` throws, KIT_EDIT_STALE and KIT_EDIT_FAILED.
 */
export async function fixWorkspace(
  { workspace, write }: { readonly workspace: string; readonly write: boolean },
  { compile, edits }: FixDeps,
): Promise<FixReport> {
  const plan = await planFixes(workspace, compile);
  if (write) await writeFixes(plan, { files: compile.files, edits });
  return { fixed: plan.fixed, files: plan.files.map(({ place }) => place.path) };
}

export async function writeFixes({ workspace, files }: FixPlan, deps: CommitFilesDeps): Promise<void> {
  await finishPending(workspace, deps);
  await commitFiles(workspace, files, deps);
}
