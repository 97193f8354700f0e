import { createContext, Script } from 'node:vm';

/** Whether a pattern is found in a text; `late` when that was not known in time. */
export type RegexAnswer = 'found' | 'absent' | 'late';

/**
 * Looks for a pattern for `timeoutMs` at most: one that backtracks without end would hold up the
 * whole process.
 */
export function findInTime(
  pattern: { readonly source: string; readonly flags: string },
  text: string,
  timeoutMs: number,
): RegexAnswer {
  const context = createContext({ ...pattern, text });
  try {
    return new Script('new RegExp(source, flags).test(text)').runInContext(context, { timeout: timeoutMs }) === true
      ? 'found'
      : 'absent';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'late';
    throw error;
  }
}
