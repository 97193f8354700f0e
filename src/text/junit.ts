import type { EvalCaseResult, EvalOutcome } from '../app/evals/eval-app.js';
import { failuresOf } from '../app/evals/report.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Text for an attribute or a body. What XML 1.0 has no way to write is left out: one such character
 * makes the file unreadable.
 */
const xml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
    .replace(/[\t\n\r]/g, (character) => `&#${character.codePointAt(0)};`);

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/**
 * Sets as JUnit test suites, cases as test cases. A case whose run itself went wrong is an error,
 * an expectation that is not met a failure; one that was never run is skipped.
 */
export function evalJunit(outcomes: readonly EvalOutcome[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="kit eval">',
    ...outcomes.flatMap(suite),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite({ setId, startedAt, cases, notRun }: EvalOutcome): readonly string[] {
  const errors = cases.filter(({ error }) => error !== null).length;
  const failures = cases.filter(({ passed }) => !passed).length - errors;
  const time = seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const at = startedAt.replace(/\.\d+Z$/, '');
  return [
    `  <testsuite name="${xml(setId)}" tests="${cases.length + notRun.length}" failures="${failures}" errors="${errors}" skipped="${notRun.length}" timestamp="${at}" time="${time}">`,
    ...cases.flatMap((result) => testCase(setId, result)),
    ...notRun.flatMap((id) => [
      `    <testcase classname="${xml(setId)}" name="${xml(id)}" time="0">`,
      '      <skipped message="interrupted"/>',
      '    </testcase>',
    ]),
    '  </testsuite>',
  ];
}

function testCase(setId: string, result: EvalCaseResult): readonly string[] {
  const head = `    <testcase classname="${xml(setId)}" name="${xml(result.id)}" time="${seconds(result.durationMs)}"`;
  if (result.passed) return [`${head}/>`];
  const kind = result.error === null ? 'failure' : 'error';
  const [first = '', ...rest] = failuresOf(result);
  return [
    `${head}>`,
    `      <${kind} message="${xml(first)}">${xml([first, ...rest].join('\n'))}</${kind}>`,
    '    </testcase>',
  ];
}
