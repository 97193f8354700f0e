import type { Diagnostic } from '../../domain/diagnostic.js';
import { compare } from '../../lib/compare.js';

/**
 * By file, then offset, then code: the same problems in the same order on every machine. Pure; does
 * not change its input.
 */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) =>
      compare(a.path, b.path) ||
      compare(a.span?.start ?? -1, b.span?.start ?? -1) ||
      compare(a.code, b.code) ||
      compare(a.message, b.message),
  );
}

/** True when something stands in the way of using the workspace. */
export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some((diagnostic) => diagnostic.severity === 'error');
