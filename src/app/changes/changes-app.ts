import type { AgentChange } from '../../domain/changes.js';
import type { Job } from '../../domain/job.js';
import type { WrittenPath } from '../../domain/ports/repository.js';

/** Which changes to look at. */
export interface ReadChanges {
  /** Absolute directory of the workspace. */
  readonly workspace: string;
  /** Run id or a unique prefix. */
  readonly run: string;
  /** Of this agent alone; null = of all. */
  readonly agent: string | null;
}

/** What harness agents of a run changed, in the order in which they were called. */
export interface RunChanges {
  readonly job: Job;
  readonly changes: readonly AgentChange[];
}

/** What to apply, and where. */
export interface ApplyChanges extends Omit<ReadChanges, 'agent'> {
  /** Null = onto the working tree of the workspace's repository. */
  readonly branch: string | null;
  /** Take what sessions and runs that did not come to their end have left, too. */
  readonly partial: boolean;
  /** Write files that decide what programs do in the repository, and links out of it. */
  readonly force: boolean;
}

/** Changes that were applied. */
export interface AppliedChanges extends RunChanges {
  /** Top level of the repository. */
  readonly topLevel: string;
  /** [] = all of it was there already. */
  readonly paths: readonly WrittenPath[];
  readonly branch: { readonly name: string; readonly commit: string } | null;
  /** Base commits that the repository does not have. */
  readonly missingBases: readonly string[];
  /** Gates of the run at which nobody could be asked. */
  readonly ungated: readonly string[];
}

/** What harnesses of runs changed, and how it comes into the user's repository. */
export interface ChangesApp {
  /**
   * Throws KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS, KIT_DIFF_UNKNOWN for a run without a harness and
   * for an agent that is none of them.
   */
  read(ask: ReadChanges): Promise<RunChanges>;
  /**
   * Applies all changes or none. Throws what `read` throws, KIT_APPLY_REFUSED with each reason,
   * KIT_APPLY_CONFLICT, KIT_SANDBOX_UNAVAILABLE.
   */
  apply(ask: ApplyChanges): Promise<AppliedChanges>;
}
