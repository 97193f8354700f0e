import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import { diffFiles } from '../../lib/diff-files.js';
import { tooManyFiles, tooManyLines } from '../../prompts/rework.js';

type SliceBudget = NonNullable<NonNullable<LinkedFunnel['validate']>['sliceBudget']>;

/** Size of a change: added and changed lines by their new side, and files touched. */
export interface SliceSize {
  readonly lines: number;
  readonly files: number;
}

/**
 * Of an agent that changes files the diff counts. Of any other the text does: as a diff, where it
 * is one, else every line of it as added to one file.
 */
export function sliceSize(draft: { readonly text: string; readonly diff: string | null }): SliceSize {
  const files = diffFiles(draft.diff ?? draft.text);
  if (draft.diff !== null || files.length > 0)
    return { lines: files.reduce((sum, file) => sum + file.newLines.length, 0), files: files.length };
  if (draft.text === '') return { lines: 0, files: 0 };
  return { lines: draft.text.replace(/\n$/, '').split('\n').length, files: 1 };
}

/** What is too big, one sentence each; [] = it fits. */
export function overBudget(budget: SliceBudget, { lines, files }: SliceSize): readonly string[] {
  const { maxDiffLines, maxFiles } = budget;
  return [
    ...(maxDiffLines !== null && lines > maxDiffLines ? [tooManyLines(lines, maxDiffLines)] : []),
    ...(maxFiles !== null && files > maxFiles ? [tooManyFiles(files, maxFiles)] : []),
  ];
}
