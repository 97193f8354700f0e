import { structuredPatch } from 'diff';

/** Lines around a change that are shown with it. */
const CONTEXT_LINES = 3;
/**
 * A diff of texts that have hardly a line in common is stopped, before a person waits for it: about
 * 0.2 s.
 */
const MAX_EDITS = 1_000;

/**
 * A text against an earlier one, as lines of a unified diff without its head; null: they have too
 * little in common. [] = equal.
 */
export function changedLines(before: string, after: string): readonly string[] | null {
  if (before === after) return [];
  // That a text ends without a line break is news only where the other one has it.
  const end = before.endsWith('\n') || after.endsWith('\n') ? '' : '\n';
  const patch = structuredPatch('', '', before + end, after + end, '', '', {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined) return null;
  return patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
}
