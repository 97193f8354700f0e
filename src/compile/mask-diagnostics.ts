import type { Diagnostic } from '../domain/diagnostic.js';

const MASK = '[REDACTED]';

/** Takes the values of secrets out of a text. */
export function textMask(secrets: readonly string[]): (text: string) => string {
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
}

/**
 * Takes the values of secrets out of everything that a diagnostic says; places and pointers hold
 * none.
 */
export function maskDiagnostics(diagnostics: readonly Diagnostic[], secrets: readonly string[]): readonly Diagnostic[] {
  if (secrets.length === 0) return diagnostics;
  const mask = textMask(secrets);
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    message: mask(diagnostic.message),
    ...(diagnostic.label === undefined ? {} : { label: mask(diagnostic.label) }),
    ...(diagnostic.help === undefined ? {} : { help: mask(diagnostic.help) }),
  }));
}
