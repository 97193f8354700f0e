import type { StoredEvent } from '../../domain/events.js';
import type { Job, JobSource, RunRequest } from '../../domain/job.js';
import type { NotYetUse } from '../../domain/not-yet-use.js';
import type { Checkpoint } from '../list-checkpoints.js';
import type { StopReport } from '../stop-job.js';
import type { UntrustedAdapter } from '../submit/adapter-trust.js';
import type { AuthorNotice } from '../submit/author-notice.js';
import type { PreparedRun } from '../submit/prepare-run.js';
import type { ForkRequest } from './fork-run.js';
import type { GoOnRequest } from './go-on.js';
import type { StreamedText } from './text-feed.js';

/**
 * Where the answers of models, commands and harnesses are kept, or where they come from. `record`
 * makes the file and never replaces one. `replay` calls nobody; with `isInputRecorded` the run is
 * asked what the recorded one was, and `input` is not looked at.
 */
export type CassetteUse =
  | { readonly kind: 'record'; readonly file: string }
  | { readonly kind: 'replay'; readonly file: string; readonly isInputRecorded: boolean };

/** What a person asks of `kit run`; other entry points build the same request. */
export interface StartRun extends Omit<RunRequest, 'source' | 'recover' | 'submittedFrom'> {
  /** Absolute workspace directory. */
  readonly workspace: string;
  /** Absent: `cli`. A trigger that a person fires by hand names itself. */
  readonly source?: JobSource;
  /** Digests of adapter specs that the person approves with this call. */
  readonly trust: readonly string[];
  /**
   * Seconds that the run waits for a provider that is down; `unattended` = a minute, where
   * KIT_OUTAGE_PATIENCE_S is not set. Absent: what that variable says.
   */
  readonly patience?: number | 'unattended';
  /** Absent: the answers come from the outside and are not kept. */
  readonly cassette?: CassetteUse;
}

/**
 * What `--dry-run` asks. Without an input it shows what would run for any: no input schema is
 * asked.
 */
export type PlanRun = Omit<StartRun, 'input'> & { readonly input?: RunRequest['input'] };

/** A run that this process executes. */
export interface RunHandle {
  readonly job: Job;
  /**
   * Everything the log holds of the run from `afterSeq` on, then what is added, until it has ended
   * or parked.
   */
  events(afterSeq: number, signal: AbortSignal): AsyncIterable<StoredEvent>;
  /**
   * What models write meanwhile, masked; ephemeral: pieces from before and those that come faster
   * than they are read are lost.
   */
  texts(signal: AbortSignal): AsyncIterable<StreamedText>;
  /** Keys that the run uses, and variables that are set, without an effect yet. */
  readonly warnings: readonly NotYetUse[];
  /** What else whoever submitted it should know; empty for a run that goes on. */
  readonly advice: readonly string[];
  /**
   * A gate excludes the author, and nobody knows who that is; null also for a run that is resumed:
   * it was said when it began.
   */
  readonly author: AuthorNotice | null;
  /** Another process executes it: `abort` ends the looking alone. Absent: this one does. */
  readonly isElsewhere?: true;
  /**
   * The run after it ended or parked, with what it has used so far. Rejects with KIT_LEASE_LOST
   * when another process took it over.
   */
  readonly done: Promise<Job>;
  /** First Ctrl-C: durable stop request, seen at the next agent boundary. */
  stop(by: string): Promise<void>;
  /** Second Ctrl-C: ends every process of the run and writes `stopped`. */
  abort(): void;
}

/** What became of a failed run that was to be retried. */
export type RetriedHere =
  | { readonly kind: 'begun'; readonly handle: RunHandle; readonly gates: readonly string[] }
  /** It was retried before. */
  | { readonly kind: 'there'; readonly job: Job };

/** What became of a run after a decision. */
export type GoneOn =
  | { readonly kind: 'taken'; readonly handle: RunHandle }
  | { readonly kind: 'left'; readonly job: Job; readonly why: string };

/**
 * Use cases around runs of one machine. All errors are KitErrors with the codes of `prepareRun`,
 * `submitRun`, `findJob`.
 */
export interface RunsApp {
  /** Everything that would happen, and nothing done: what `--dry-run` shows. */
  plan(start: PlanRun): Promise<PreparedRun>;
  /**
   * Submits a run claimed by this process, and executes that one job. With a cassette it throws
   * besides KIT_CASSETTE_INVALID, KIT_CASSETTE_CUT, KIT_CASSETTE_NEWER, KIT_CASSETTE_MISMATCH, and
   * KIT_USAGE for a file that cannot be made; nothing is written then.
   */
  start(start: StartRun): Promise<RunHandle>;
  /**
   * Goes on with a stopped or deferred run, or with one whose process died; `job` null = the last
   * that can go on.
   */
  resume(resume: {
    readonly workspace: string;
    readonly job: string | null;
    readonly topology: string | null;
    readonly by: string;
    /** Digests of adapter specs that the person approves with this call. */
    readonly trust: readonly string[];
    /** Sessions of coding harnesses begin anew, here. Default: they go on in their worktrees. */
    readonly anew?: boolean;
  }): Promise<RunHandle>;
  /**
   * Runs the tail of a run anew, as a run of its own: see `forkRun`, which names what it throws.
   */
  fork(fork: { readonly workspace: string; readonly trust: readonly string[] } & ForkRequest): Promise<RunHandle>;
  /**
   * Makes a new run of a failed one, with every step that was finished: see `retryRun`, which names
   * what it throws. Who asks again gets the run that was made.
   */
  retry(retry: {
    readonly workspace: string;
    readonly trust: readonly string[];
    readonly job: string;
    readonly by: string;
    readonly repeatPruned: boolean;
  }): Promise<RetriedHere>;
  /**
   * Goes on with a run after a decision, or leaves it to others and says why: see `GoOnRequest`.
   * Throws KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS, and with `insist` what `resume` throws.
   */
  goOn(request: { readonly workspace: string } & GoOnRequest): Promise<GoneOn>;
  stop(stop: { readonly workspace: string; readonly job: string; readonly by: string }): Promise<StopReport>;
  checkpoints(list: { readonly workspace: string; readonly limit: number }): Promise<readonly Checkpoint[]>;
  /**
   * The plan of a run in a workspace that this user never ran here, once; null from then on
   * (docs/design/decisions.md#launch-list).
   */
  introduce(start: PlanRun): Promise<PreparedRun | null>;
  /** Records a person's approval of an adapter's launch-relevant spec. */
  approveAdapter(approve: { readonly workspace: string; readonly adapter: UntrustedAdapter }): Promise<void>;
}
