import type { EvalCaseResult, EvalOutcome, EvalReport } from './eval-app.js';

/** Characters of an output that a report keeps. */
const OUTPUT_CHARS = 2000;

/** An outcome as it is written and as `--json` shows it. */
export function toReport(outcome: Omit<EvalOutcome, 'report' | 'comparison'>): EvalReport {
  const { cases } = outcome;
  const passed = cases.filter((one) => one.passed).length;
  return {
    eval_set_id: outcome.setId,
    target: outcome.target,
    total: cases.length,
    passed,
    failed: cases.length - passed,
    pass_rate: passRate(cases),
    not_run: [...outcome.notRun],
    started_at: outcome.startedAt,
    finished_at: outcome.endedAt,
    cases: cases.map(caseOf),
  };
}

/** Share of cases that passed, 0..1; a set without cases passes. */
export const passRate = (cases: readonly EvalCaseResult[]): number =>
  cases.length === 0 ? 1 : cases.filter((one) => one.passed).length / cases.length;

/** Why a case failed, in the order in which it was found out. */
export const failuresOf = ({ error, checks }: EvalCaseResult): readonly string[] => [
  ...(error === null ? [] : [error]),
  ...checks.filter((check) => !check.passed).map(({ name, detail }) => `${name}: ${detail}`),
];

function caseOf(result: EvalCaseResult) {
  return {
    id: result.id,
    case_id: result.id,
    passed: result.passed,
    error: result.error,
    failures: [...failuresOf(result)],
    output: result.output.slice(0, OUTPUT_CHARS),
    checks: result.checks.map(({ name, passed, detail }) => ({ name, passed, detail })),
    run_id: result.runId,
    judge_run_id: result.judgeRunId,
    duration_ms: result.durationMs,
  };
}

/**
 * `<id>-<UTC yyyymmddThhmmssZ>`: sorts by time within a set. What cannot stand in a file name is
 * written as `-`.
 */
export const reportName = (setId: string, at: string): string =>
  `${setId.replace(/[^A-Za-z0-9._-]/g, '-')}-${at.replace(/\.\d+Z$/, 'Z').replace(/[-:]/g, '')}`;
