import type { Submitter } from '../../domain/job.js';
import type { JsonObject } from '../../domain/json.js';

/**
 * Where the answers of the runs of a set are kept, or come from: one cassette a run, in one
 * directory.
 */
export interface EvalCassettes {
  readonly kind: 'record' | 'replay';
  /** Absolute. */
  readonly directory: string;
}

/** What `kit eval` asks. */
export interface EvalAsk {
  /** Absolute workspace directory. */
  readonly workspace: string;
  /**
   * Id of a set, a path of one, or a file name below `evals/`; null = every set, in the order of
   * their ids.
   */
  readonly set: string | null;
  /** Cases that run at the same time; >= 1. */
  readonly concurrency: number;
  readonly submittedBy: Submitter;
  /** Digests of adapter specs that the person approves with this call. */
  readonly trust: readonly string[];
  /** Null: the answers come from the outside and are not kept. */
  readonly cassettes: EvalCassettes | null;
  /** Looks for the newest earlier report of the set. */
  readonly compare: boolean;
  /**
   * Absolute path of the report to compare with, instead of the newest earlier one; implies
   * `compare` for its set.
   */
  readonly against?: string | null;
  /**
   * Aborted: no case begins any more, the runs under way are asked to stop at their next boundary,
   * and what was done is reported.
   */
  readonly signal?: AbortSignal;
  /** Called with each case when its verdict is known, in the order in which they end. */
  readonly onCase?: (set: string, result: EvalCaseResult) => void;
}

/** One key of `expect`. */
export interface EvalCheckResult {
  /** The key; of a check of a plugin `checks.<name>`. */
  readonly name: string;
  readonly passed: boolean;
  /** What was expected and what was found; '' when it holds and there is nothing to say. */
  readonly detail: string;
}

/** What one case came to. */
export interface EvalCaseResult {
  readonly id: string;
  readonly passed: boolean;
  /**
   * Why the run itself counts as failed: it failed, parked, stopped, or was refused; null = it was
   * completed.
   */
  readonly error: string | null;
  /** Whole; a report keeps the first 2000 characters. */
  readonly output: string;
  readonly checks: readonly EvalCheckResult[];
  /** Null: it was refused before there was a run. */
  readonly runId: string | null;
  /** The run that judged; null = nothing was judged. */
  readonly judgeRunId: string | null;
  readonly durationMs: number;
}

/** What an earlier report says about the same set: ids of cases. */
export interface EvalComparison {
  readonly report: string;
  /** 0..1. */
  readonly passRate: number;
  readonly regressed: readonly string[];
  readonly fixed: readonly string[];
  readonly added: readonly string[];
  /** Of the earlier report and not of this one. */
  readonly removed: readonly string[];
  /**
   * By the cases that both have: `worse` as soon as one regressed, else `better` when one was
   * fixed.
   */
  readonly trend: 'better' | 'worse' | 'same';
}

/** What a set came to. */
export interface EvalOutcome {
  readonly setId: string;
  readonly target: string;
  readonly startedAt: string;
  readonly endedAt: string;
  /** Those that came to a verdict, in the order of the file. */
  readonly cases: readonly EvalCaseResult[];
  /** Ids of cases that have none because of `signal`; [] = the set was carried out. */
  readonly notRun: readonly string[];
  /** Absolute path of the report. */
  readonly report: string;
  /** Null: not asked for, or there is no earlier report. */
  readonly comparison: EvalComparison | null;
}

/** An eval set of a workspace. */
export interface EvalSetRow {
  readonly id: string;
  readonly path: string;
  readonly target: string;
  readonly cases: number;
}

/** Which reports are wanted. */
export interface EvalReportsAsk {
  /** Absolute workspace directory. */
  readonly workspace: string;
  /** Id of a set; null = of every set. */
  readonly set: string | null;
  /** Newest ones; >= 1. */
  readonly limit: number;
}

/** One report, and maybe an earlier one to compare it with. */
export interface EvalReportAsk {
  /** Absolute workspace directory. */
  readonly workspace: string;
  /** `<set>-<time>`, as `reports` names it. */
  readonly name: string;
  /** Name of the one that is taken for the earlier; null = none. */
  readonly against: string | null;
}

/** What a report says of its set. */
export interface EvalReportRow extends Pick<EvalOutcome, 'setId' | 'target' | 'startedAt' | 'endedAt'> {
  readonly name: string;
  readonly total: number;
  readonly passed: number;
  /** 0..1. */
  readonly passRate: number;
  /** Ids of cases without a verdict. */
  readonly notRun: readonly string[];
}

/** What a report says of a case. */
export interface StoredEvalCase extends Pick<EvalCaseResult, 'id' | 'passed' | 'runId'> {
  /** Why it failed; [] = it passed. */
  readonly failures: readonly string[];
  /** At most 2000 characters. */
  readonly output: string;
  readonly durationMs: number | null;
}

/** A report as it lies there. */
export interface StoredEvalReport {
  readonly row: EvalReportRow;
  readonly cases: readonly StoredEvalCase[];
  /** Null: not asked for. Its `report` is the name of the earlier one. */
  readonly comparison: EvalComparison | null;
}

/**
 * Eval sets (docs/evals.md): each case is an ordinary run, submitted like any other, and a judge or
 * a rubric is one more run that evaluates a decision about the output. Both carry the labels
 * `eval_set` and `eval_case`.
 *
 * `list` and `run` throw KIT_WORKSPACE_NOT_FOUND; `list` also KIT_WORKSPACE_INVALID, for which
 * `run` throws KIT_EVAL_INVALID.
 */
export interface EvalApp {
  list(ask: { readonly workspace: string }): Promise<readonly EvalSetRow[]>;
  /** The reports that `run` wrote on this machine, newest first. */
  reports(ask: EvalReportsAsk): Promise<readonly EvalReportRow[]>;
  /** One of them whole. Throws KIT_EVAL_UNKNOWN for a name that is none of them. */
  report(ask: EvalReportAsk): Promise<StoredEvalReport>;
  /**
   * Carries out sets one after the other and writes a report of each. A case whose run is refused,
   * fails or parks has failed. Throws KIT_EVAL_UNKNOWN naming the sets that there are, KIT_PLUGIN_*
   * for a check that no plugin brings, before anything runs; and KIT_USAGE for a report that cannot
   * be written, or for an `against` that is not a report of one of these sets, and for a directory
   * that cannot take the recording or holds none.
   */
  run(ask: EvalAsk): Promise<readonly EvalOutcome[]>;
}

/** A report as it is written. */
export type EvalReport = JsonObject;
