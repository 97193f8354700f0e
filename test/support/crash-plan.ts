import { join } from 'node:path';
import type { Job } from '../../src/domain/job.js';
import type { RunOutcome } from '../../src/engine/judge-run.js';
import type { Mutant } from './crash-stores.js';
import type { CrashScenario } from './crash-topology.js';

/**
 * The n-th hit of one fault point: the same place in every run, however its children interleave.
 */
export interface CrashPoint {
  readonly name: string;
  readonly nth: number;
}

/** What one process of the crash test does. */
export interface CrashPlan {
  readonly dir: string;
  readonly jobId: string;
  /** URL of the PostgreSQL that holds the run; null: SQLite. */
  readonly storeUrl: string | null;
  readonly scenario: CrashScenario;
  /**
   * `standby`: a worker that is up, and works from when the file `standby` is there until the run
   * has ended.
   */
  readonly entry: 'start' | 'resume' | 'standby';
  readonly recover: Job['recover'];
  readonly leaseMs: number;
  /** In the environment of every descendant. */
  readonly mark: string;
  /** SIGKILL of itself at this point. */
  readonly dieAt?: CrashPoint;
  /** SIGSTOP of itself at this point. */
  readonly pauseAt?: CrashPoint;
  /** SIGKILL of itself when this write was acknowledged. */
  readonly dieAfter?: { readonly op: 'step.started' | 'step.ended'; readonly key: string };
  /** SIGKILL of itself when this write is handed to the store. */
  readonly dieBefore?: { readonly op: 'step.started' | 'step.ended'; readonly key: string };
  /**
   * SIGKILL while the effect of this name runs: `<agent>:<turn>` of a model call, or a name that a
   * command tells.
   */
  readonly killIn?: string;
  /** Model calls that wait for the file `go`. */
  readonly holdIn?: readonly string[];
  /** Speaks as a process of another machine: only the clock tells it that a lease is over. */
  readonly elsewhere?: boolean;
  readonly mutant?: Mutant;
}

export type ProcessReport =
  | { readonly kind: 'lost'; readonly refused: number }
  | {
      readonly kind: 'ended';
      /** False: there was nothing to go on with, the run had ended. */
      readonly claimed: boolean;
      /** The run that the rest is about: the last of its line. */
      readonly jobId: string;
      readonly status: Job['status'];
      readonly reason: string | null;
      readonly output: string | null;
      readonly usage: Job['usage'];
      readonly diffs: Readonly<Record<string, string>> | null;
      readonly replayed: RunOutcome;
    };

/** Files of one run; all but the repository lie outside the workspace. */
export function pathsOf(dir: string) {
  const at = (name: string): string => join(dir, name);
  return {
    repository: at('repository'),
    state: at('repository/.kit'),
    temp: at('temp'),
    effects: at('effects'),
    downs: at('downs'),
    acks: at('acks'),
    hits: at('hits'),
    held: at('held'),
    go: at('go'),
    standby: at('standby'),
  } as const;
}
