import type { EvalCaseResult, EvalOutcome } from '../app/evals/eval-app.js';
import { failuresOf, passRate } from '../app/evals/report.js';
import { oneLine } from '../view/lines/words.js';

/** The report as it is written. */
export { toReport } from '../app/evals/report.js';

const percent = (rate: number): string => `${Math.round(rate * 1000) / 10} %`;

/** One case: its verdict, and why it failed. */
export function evalCaseText(result: EvalCaseResult): string {
  const run = result.runId === null ? '' : `  run ${result.runId}`;
  const head = `[${result.passed ? 'PASS' : 'FAIL'}] ${oneLine(result.id, 200)}${run}`;
  return [head, ...failuresOf(result).map((failure) => `       ${oneLine(failure, 600)}`)].join('\n');
}

/** What a set came to, and what has changed since the report before. */
export function evalSummary(outcome: EvalOutcome, options: { readonly compare: boolean }): string {
  const { cases, comparison } = outcome;
  const passed = cases.filter((one) => one.passed).length;
  const cut =
    outcome.notRun.length === 0
      ? []
      : [`interrupted; not run: ${outcome.notRun.map((id) => oneLine(id, 100)).join(', ')}`];
  const lines = [
    `${oneLine(outcome.setId, 200)}: ${passed} of ${cases.length} passed (${percent(passRate(cases))}), report ${outcome.report}`,
    ...cut,
  ];
  if (!options.compare) return lines.join('\n');
  if (comparison === null) return [...lines, 'there is no earlier report to compare with'].join('\n');
  const group = (name: string, ids: readonly string[]): readonly string[] =>
    ids.length === 0 ? [] : [`  ${name}: ${ids.map((id) => oneLine(id, 100)).join(', ')}`];
  return [
    ...lines,
    `before: ${percent(comparison.passRate)} (${comparison.report}); now it is ${comparison.trend === 'same' ? 'the same' : comparison.trend}`,
    ...group('regressed', comparison.regressed),
    ...group('fixed', comparison.fixed),
    ...group('new', comparison.added),
    ...group('removed', comparison.removed),
  ].join('\n');
}
