import { structuredPatch } from 'diff';

/** Lines around a change that are shown with it. */
const CONTEXT_LINES = 3;
/** A diff of texts that have hardly a line in common is stopped: both are shown instead. */
const MAX_EDITS = 5_000;

/** A text against an earlier one, as lines of a unified diff without its head; null: they have too little in common. [] = equal. */
export function changedLines(before: string, after: string): readonly string[] | null {
  if (before === after) return [];
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT_LINES, maxEditLength: MAX_EDITS });
  if (patch === undefined) return null;
  return patch.hunks.flatMap((hunk) => [`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, ...hunk.lines]);
}
