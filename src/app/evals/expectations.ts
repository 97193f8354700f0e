import { regexParts } from '../../compile/rules/eval-sets.js';
import type { EvalExpectation } from '../../domain/generated/artifacts.js';
import type { EvalSubject } from '../../domain/ports/eval-check.js';
import type { EvalCheckResult } from './eval-app.js';

/** Longest search for `regex`. A pattern that needs more backtracks without end. */
export const REGEX_MS = 1000;

/** Looks for a pattern for so long at most. */
export type FindInTime = (
  pattern: { readonly source: string; readonly flags: string },
  text: string,
  timeoutMs: number,
) => 'found' | 'absent' | 'late';

const result = (name: string, detail: string | null): EvalCheckResult => ({
  name,
  passed: detail === null,
  detail: detail ?? '',
});

const SHOWN = 200;
const shown = (text: string): string => JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text);

/**
 * The keys of `expect` that need nobody: all but `judge`, `rubric` and the checks of plugins. In
 * the order of the schema.
 */
export function checkPlainly(
  expect: EvalExpectation,
  subject: EvalSubject,
  find: FindInTime,
): readonly EvalCheckResult[] {
  const text = textOf(subject);
  const lower = text.toLowerCase();
  const missing = (expect.contains ?? []).filter((part) => !lower.includes(part.toLowerCase()));
  const present = (expect.not_contains ?? []).filter((part) => lower.includes(part.toLowerCase()));
  const used = new Set(subject.usedSkills);
  const unused = (expect.used_skills ?? []).filter((skill) => !used.has(skill));
  return [
    ...(expect.contains === undefined
      ? []
      : [result('contains', missing.length === 0 ? null : `the output lacks ${missing.map(shown).join(', ')}`)]),
    ...(expect.not_contains === undefined
      ? []
      : [result('not_contains', present.length === 0 ? null : `the output contains ${present.map(shown).join(', ')}`)]),
    ...(expect.regex === undefined ? [] : [result('regex', regexDetail(expect.regex, text, find))]),
    ...(expect.equals === undefined
      ? []
      : [
          result(
            'equals',
            text.trim() === expect.equals.trim()
              ? null
              : `expected ${shown(expect.equals.trim())}, found ${shown(text.trim())}`,
          ),
        ]),
    ...(expect.not_empty === true ? [result('not_empty', text.trim() === '' ? 'the output is empty' : null)] : []),
    ...(expect.used_skills === undefined
      ? []
      : [
          result(
            'used_skills',
            unused.length === 0
              ? null
              : `${unused.join(', ')} was never called; called: ${used.size === 0 ? 'none' : [...used].join(', ')}`,
          ),
        ]),
  ];
}

function regexDetail(pattern: string, text: string, find: FindInTime): string | null {
  switch (find(regexParts(pattern), text, REGEX_MS)) {
    case 'found':
      return null;
    case 'absent':
      return `nothing in the output fits ${shown(pattern)}`;
    case 'late':
      return `whether the output fits ${shown(pattern)} was not known after ${REGEX_MS} ms; write a pattern that backtracks less`;
  }
}

/** What the run answered, as text. */
export const textOf = ({ output }: EvalSubject): string =>
  typeof output === 'string' ? output : output === null ? '' : JSON.stringify(output);
