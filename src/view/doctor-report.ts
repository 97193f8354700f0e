/**
 * What became of one check. `warn`: it works, and somebody should look; `fail`: something does not
 * work; `skipped`: there was nothing to check, or what it stands on failed.
 */
export type CheckStatus = 'ok' | 'warn' | 'fail' | 'skipped';

/** One line of `kit doctor`. Holds no secret. */
export interface DoctorCheck {
  /** What was looked at: `node`, `store.runtime`, `harness.claude-code`. */
  readonly id: string;
  readonly status: CheckStatus;
  /** What was found, in one sentence. */
  readonly found: string;
  /** A command or a setting to paste; null where nothing is to be done. */
  readonly fix: string | null;
}

/** What `kit doctor` shows. */
export interface DoctorReport {
  /** Absolute directory of the workspace. */
  readonly workspace: string;
  /**
   * In the order in which a person would fix them: the machine first, then the workspace and what
   * it uses.
   */
  readonly checks: readonly DoctorCheck[];
}

/** True when something does not work: exit code 1. */
export const hasFailed = ({ checks }: DoctorReport): boolean => checks.some(({ status }) => status === 'fail');

/** A durable write of the store, before or after its commit, and which time it is in one run. */
export interface CrashPoint {
  /** `run.step_ended:after` */
  readonly name: string;
  /** From 1. */
  readonly nth: number;
}

/** A point after which the run did not come to the same end. */
export interface CrashFailure {
  readonly point: CrashPoint;
  /** What was different, in sentences. */
  readonly violations: readonly string[];
}

/** What `kit doctor --crash` shows, while it works and at the end. */
export interface CrashReport {
  readonly store: 'sqlite' | 'postgres';
  /** Fault points of the built-in run. */
  readonly points: number;
  /** How many of them were chosen: all, or the share that was asked for. */
  readonly chosen: number;
  /** Of the chosen ones, those that are through. */
  readonly tried: number;
  /** After these the run came to the same end as the one that nobody killed. */
  readonly recovered: number;
  /** Steps in doubt that were made again, as `step.repeated` says. */
  readonly repeated: number;
  /** Events that had been shown before the kill and were gone or changed afterwards. */
  readonly lost: number;
  /** The choice can be made again with it. */
  readonly seed: number;
  readonly elapsedMs: number;
  readonly failures: readonly CrashFailure[];
}

/** True when nothing was lost and every point was recovered: exit code 0. */
export const hasRecovered = (report: CrashReport): boolean =>
  report.chosen > 0 && report.recovered === report.chosen && report.lost === 0;
