import type { FixedProblem, FixReport, JsonObject } from '@kit-run/kit/command';

const MAX_VALUE_CHARS = 60;

function valueText({ fix, isHidden }: FixedProblem): string {
  if (fix.do === 'rename') return `\`${fix.to}\``;
  if (isHidden) return 'a value of the right type';
  const text = JSON.stringify(fix.value);
  return `\`${text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}...` : text}\``;
}

/** The key that a fix is about, as its author writes it. */
const nameOf = (pointer: string): string =>
  (pointer.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~');

const change = (problem: FixedProblem): string => `\`${nameOf(problem.fix.pointer)}\` is now ${valueText(problem)}`;

/** What `kit validate --fix` wrote, or would write: one line a problem, and the count. */
export function fixLines({ fixed, files }: FixReport, isWritten: boolean): readonly string[] {
  if (fixed.length === 0) return ['nothing to fix: no problem has only one right answer', ''];
  const verb = isWritten ? 'fixed' : 'would fix';
  const lines = fixed.map(
    (problem) => `${verb} ${problem.path}${problem.line === null ? '' : `:${problem.line}`}  ${change(problem)}`,
  );
  const count = `${fixed.length} in ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  return [...lines, `${verb} ${count}${isWritten ? '' : '; nothing was written'}`, ''];
}

/** The same as values of the JSON Lines of `kit validate`. */
export const fixJson = ({ fixed }: FixReport, isWritten: boolean): readonly JsonObject[] =>
  fixed.map(
    ({ path, line, code, message, fix, isHidden }): JsonObject => ({
      type: 'validate.fixed',
      code,
      message,
      artifact_path: path,
      line,
      yaml_pointer: fix.pointer,
      ...(fix.do === 'rename' ? { renamed_to: fix.to } : { value: isHidden ? null : fix.value }),
      written: isWritten,
    }),
  );
