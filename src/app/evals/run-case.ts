import { isKitError, messageOf } from '../../domain/errors.js';
import type { EvalCase } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { Job } from '../../domain/job.js';
import type { EvalCheck, EvalSubject } from '../../domain/ports/eval-check.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock } from '../../domain/ports/system.js';
import type { JudgePatterns } from '../../lib/patterns/judge-value.js';
import type { StartRun } from '../runs/runs-app.js';
import { cassetteName } from './check-cassettes.js';
import type { EvalAsk, EvalCaseResult, EvalCheckResult } from './eval-app.js';
import { checkPlainly, textOf } from './expectations.js';

/** Real parts behind one case. */
export interface CaseDeps {
  readonly clock: Pick<Clock, 'now'>;
  /**
   * Submits a run and executes it to its end, or until it parks; asks it to stop once `signal` is
   * aborted.
   */
  readonly execute: (start: StartRun, signal?: AbortSignal) => Promise<Job>;
  readonly openStores: (workspace: string) => Promise<Pick<Stores, 'events'>>;
  /** Answers within `REGEX_MS`. */
  readonly judgePatterns: JudgePatterns;
  /** Contributions of `evalChecks` by name, all that the set names. */
  readonly checks: ReadonlyMap<string, EvalCheck>;
}

/** One case and whose it is. */
export interface CaseOf {
  readonly ask: EvalAsk;
  readonly setId: string;
  readonly target: string;
  readonly entry: EvalCase;
}

/** Runs a case and judges it; nothing that goes wrong with it is an error of the set. */
export async function runCase(deps: CaseDeps, of: CaseOf): Promise<EvalCaseResult> {
  const startedMs = deps.clock.now();
  const base = { id: of.entry.id, output: '', checks: [], runId: null, judgeRunId: null };
  const took = () => deps.clock.now() - startedMs;
  try {
    const job = await deps.execute(startOf(of, { input: of.entry.input, part: 'case' }), of.ask.signal);
    const output = job.output ?? '';
    const error = errorOf(job);
    if (error !== null) return { ...base, runId: job.id, output, error, passed: false, durationMs: took() };
    const subject = await subjectOf(deps, of, job);
    const { expect = {} } = of.entry;
    const judged = await judge(deps, of, subject);
    // A judge that was cut off is not a verdict either.
    if (judged.cut !== null)
      return {
        ...base,
        runId: job.id,
        judgeRunId: judged.runId,
        output,
        error: judged.cut,
        passed: false,
        durationMs: took(),
      };
    const checks = [
      ...(await checkPlainly(expect, subject, deps.judgePatterns)),
      ...judged.checks,
      ...(await askPlugins(deps, of, subject)),
    ];
    const passed = checks.every((check) => check.passed);
    return {
      ...base,
      runId: job.id,
      judgeRunId: judged.runId,
      output,
      error: null,
      checks,
      passed,
      durationMs: took(),
    };
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { ...base, error: `${error.code}: ${error.message}`, passed: false, durationMs: took() };
  }
}

interface CaseRequest {
  readonly input: string;
  readonly part: 'case' | 'judge';
}

/** The one start of a run; cassettes of a set lie in one directory, one a run. */
function startOf({ ask, setId, target, entry }: CaseOf, { input, part }: CaseRequest): StartRun {
  const file = `${ask.cassettes?.directory}/${cassetteName(setId, entry.id, part)}`;
  return {
    workspace: ask.workspace,
    topology: target,
    input,
    attachments: [],
    correlationId: null,
    labels: { eval_set: setId, eval_case: entry.id, ...(part === 'judge' ? { eval_part: 'judge' } : {}) },
    supersedes: null,
    submittedBy: ask.submittedBy,
    timeoutMs: null,
    patience: 'unattended',
    trust: ask.trust,
    // A case that recalled what another one stored would depend on their order, and a person's
    // memory is no place for what was made up for a test.
    remembers: false,
    ...(ask.cassettes === null
      ? {}
      : {
          cassette:
            ask.cassettes.kind === 'record'
              ? { kind: 'record', file }
              : { kind: 'replay', file, isInputRecorded: false },
        }),
  };
}

/** Why a run that is not completed counts as failed; null = it is completed. */
function errorOf(job: Job): string | null {
  switch (job.status) {
    case 'completed':
      return null;
    case 'deferred':
      return `the run parked: it waits for ${job.waitingOn.join(', ')}, and nobody decides during an evaluation`;
    default:
      return `the run is ${job.status}${job.reason === null ? '' : ` (${job.reason})`}${job.error === null ? '' : `: ${job.error}`}`;
  }
}

const PAGE = 1000;

async function subjectOf(deps: CaseDeps, { ask, entry }: CaseOf, job: Job): Promise<EvalSubject> {
  const { events } = await deps.openStores(ask.workspace);
  const used = new Set<string>();
  for (let after = 0; ; ) {
    const page = await events.readRun(job.id, after, PAGE);
    for (const event of page) {
      // A call that was refused was made by nobody.
      if (event.type === 'skill.executed' && event.payload.status !== 'denied' && event.skillId !== null)
        used.add(event.skillId);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.seq;
  }
  return { input: entry.input, output: job.output, status: job.status, usedSkills: [...used] };
}

interface Judged {
  readonly runId: string | null;
  readonly checks: readonly EvalCheckResult[];
  /** Why nobody judged because the evaluation was interrupted; null: it was not. */
  readonly cut: string | null;
}

/**
 * Judge and rubric together are one question to one judge: the rubric is what the judge goes by.
 */
async function judge(deps: CaseDeps, of: CaseOf, subject: EvalSubject): Promise<Judged> {
  const {
    judge: skill,
    rubric,
    min_confidence: threshold = DEFAULTS.EvalExpectation.min_confidence,
  } = of.entry.expect ?? {};
  if (skill === undefined && rubric === undefined) return { runId: null, checks: [], cut: null };
  const name = skill === undefined ? 'rubric' : 'judge';
  const asked = startOf(of, { input: textOf(subject), part: 'judge' });
  const job = await deps.execute(
    { ...asked, judge: { skill: skill ?? null, rubric: rubric ?? null, scope: of.entry.input, threshold } },
    of.ask.signal,
  );
  const error = errorOf(job);
  if (error !== null) {
    const detail = `nobody judged: ${error}`;
    return {
      runId: job.id,
      checks: [{ name, passed: false, detail }],
      cut: of.ask.signal?.aborted === true ? detail : null,
    };
  }
  // written by the engine (`judgeRun`)
  const { passed, verdict, confidence, reasoning } = JSON.parse(job.output ?? '{}') as JudgedOutput;
  const detail = `${skill ?? 'the judge'} says ${verdict} with confidence ${confidence}, asked for ${threshold}: ${reasoning}`;
  return { runId: job.id, checks: [{ name, passed, detail }], cut: null };
}

interface JudgedOutput {
  readonly passed: boolean;
  readonly verdict: string;
  readonly confidence: number;
  readonly reasoning: string;
}

async function askPlugins(
  { checks }: CaseDeps,
  { entry }: CaseOf,
  subject: EvalSubject,
): Promise<readonly EvalCheckResult[]> {
  const asked = Object.entries(entry.expect?.checks ?? {});
  return Promise.all(
    asked.map(async ([id, expected]) => {
      const name = `checks.${id}`;
      try {
        const detail = (await checks.get(id)?.check(expected, subject)) ?? null;
        return { name, passed: detail === null, detail: detail ?? '' };
      } catch (error) {
        return {
          name,
          passed: false,
          detail: `the check failed itself: ${messageOf(error)}`,
        };
      }
    }),
  );
}
