import { regexParts } from '../../compile/rules/eval-sets.js';
import type { EvalExpectation } from '../../domain/generated/artifacts.js';
import type { EvalSubject } from '../../domain/ports/eval-check.js';
import type { JudgePatterns } from '../../lib/patterns/judge-value.js';
import type { EvalCheckResult } from './eval-app.js';

/** Longest search for `regex`. A pattern that needs more backtracks without end. */
export const REGEX_MS = 1000;

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
export async function checkPlainly(
  expect: EvalExpectation,
  subject: EvalSubject,
  judgePatterns: JudgePatterns,
): Promise<readonly EvalCheckResult[]> {
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
    ...(expect.regex === undefined ? [] : [result('regex', await regexDetail(expect.regex, text, judgePatterns))]),
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

async function regexDetail(pattern: string, text: string, judgePatterns: JudgePatterns): Promise<string | null> {
  const answers = await judgePatterns([{ ...regexParts(pattern), text }]);
  if (answers === 'late')
    return `whether the output fits ${shown(pattern)} was not known after ${REGEX_MS} ms; write a pattern that backtracks less`;
  return answers[0] === true ? null : `nothing in the output fits ${shown(pattern)}`;
}

/** What the run answered, as text. */
export const textOf = ({ output }: EvalSubject): string =>
  typeof output === 'string' ? output : output === null ? '' : JSON.stringify(output);
