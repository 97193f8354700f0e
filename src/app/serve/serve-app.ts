import type { Job, RunRequest } from '../../domain/job.js';
import type { NotYetUse } from '../../domain/not-yet-use.js';
import type { Once } from '../../domain/ports/stores.js';
import type { Workspace } from '../../domain/workspace.js';
import type { Retried } from '../runs/retry-run.js';
import type { StopReport } from '../stop-job.js';
import type { AuthorNotice } from '../submit/author-notice.js';

/**
 * What an entry point of a server hands in. They differ in how they build this and in nothing else
 * (docs/design/decisions.md#one-way). A bare topology goes through its canary route; the server
 * itself says how long a run may take and that it goes on after a crash.
 */
export interface ServerRun
  extends Omit<
    RunRequest,
    'route' | 'callerJobId' | 'submittedFrom' | 'timeoutMs' | 'recover' | 'judge' | 'answer' | 'remembers'
  > {
  readonly workspace: string;
  /** `Idempotency-Key`; null = every call submits. */
  readonly once: Omit<Once, 'digest'> | null;
}

/** What a submit came to. `repeated`: the key was used before, and this is its job. */
export interface SubmittedRun {
  readonly job: Job;
  readonly repeated: boolean;
  /**
   * A gate excludes the author and nobody knows who that is: every entry point says so
   * (docs/design/decisions.md#author). Null also for a repeated one.
   */
  readonly author: AuthorNotice | null;
  /** Keys that the run uses, and variables that are set, without an effect yet. */
  readonly warnings: readonly NotYetUse[];
  /** What of the request could not be taken as it stands, a sentence each. */
  readonly advice: readonly string[];
}

/** How full the server is. */
export interface ServerLoad {
  /** Slots taken: runs that execute here, and submitted ones that are about to. */
  readonly active: number;
  readonly maxConcurrent: number;
}

/** What `reload` came to; invalid files leave everything as it was. */
export type ReloadReport =
  | {
      readonly valid: true;
      readonly topologies: readonly string[];
      readonly skills: readonly string[];
      readonly archetypes: readonly string[];
    }
  | {
      readonly valid: false;
      readonly errors: readonly { readonly code: string; readonly message: string; readonly path: string | null }[];
    };

/**
 * `all`: the server executes the runs that it accepts. `api`: it leaves every run to workers of the
 * same database.
 */
export type ServerRole = 'all' | 'api';

/** `store-unavailable`: writes have been given up, after the 10 s that an outage is waited for. */
export type StoreState = 'ok' | 'store-full' | 'store-read-only' | 'store-gone' | 'store-corrupt' | 'store-unavailable';

/** One served workspace of this process. */
export interface ServeOptions {
  /** Absolute directory. */
  readonly workspace: string;
  /** Default: `all`. */
  readonly role?: ServerRole;
  /**
   * Runs that may wait for a worker at once, >= 1; only `api` asks. Default and null: any number.
   */
  readonly maxQueued?: number | null;
}

/**
 * The serving process: it accepts runs, executes them with the worker's own code, takes over what
 * crashed, wakes what was decided, and fires deadlines. With the role `api` it executes nothing,
 * whatever the store holds. `start` opens the workspace and its store; before it every other method
 * throws KIT_NOT_READY, and so do `submit`, `resume` and `reload` once a drain has begun.
 */
export interface ServeApp {
  /**
   * Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID, KIT_POLICY_INVALID, KIT_STORE_*: nothing
   * is running then.
   */
  start(options: ServeOptions): Promise<void>;
  /** The workspace that new runs are compiled from. */
  current(): Workspace;
  role(): ServerRole;
  /**
   * Whether its store takes writes: by the last write of this process, and by one of its own at
   * most every 5 s. It waits a second at most.
   */
  storeState(): Promise<StoreState>;
  /**
   * Checks in the order topology, input, attachments, capacity; then writes the job, which a slot
   * of this server executes: it is `pending` in the answer. With the role `api` it is `queued`, no
   * slot bounds it, and neither keys of providers nor approvals of adapters are asked for: they are
   * the worker's. A key that was used answers its job before anything is checked. Throws
   * KIT_REQUEST_INVALID for an input that is nested beyond bounds, KIT_TOPOLOGY_UNKNOWN,
   * KIT_INPUT_INVALID, KIT_ATTACHMENT_INVALID, KIT_LABEL_INVALID, KIT_ADAPTER_UNTRUSTED,
   * KIT_IDEMPOTENCY_CONFLICT, KIT_CAPACITY and KIT_QUEUE_FULL with `data.retryAfterSeconds` (1 to
   * 5), and what starting a run throws; no job is written then.
   */
  submit(run: ServerRun): Promise<SubmittedRun>;
  /**
   * Makes a deferred or stopped job runnable; it waits for a slot and is never refused for want of
   * one. `job` is the full id. Throws KIT_JOB_UNKNOWN, KIT_JOB_NOT_RESUMABLE,
   * KIT_ADAPTER_UNTRUSTED. With the role `api` it waits for a worker that has what it needs.
   * `anew`: sessions of harnesses begin anew, wherever their worktrees lie; those here are
   * removed. A worker that has one of them and takes the run up goes on there all the same:
   * nothing is lost.
   */
  resume(ask: {
    readonly job: string;
    readonly by: string;
    readonly clientName?: string;
    /** Default: false. */
    readonly anew?: boolean;
  }): Promise<Job>;
  /**
   * Makes a new job of a failed one, with every step that was finished; it waits for a slot, or for
   * a worker. `job` is the full id. Throws KIT_JOB_UNKNOWN, KIT_JOB_NOT_RETRYABLE,
   * KIT_JOURNAL_DIVERGED, KIT_ADAPTER_UNTRUSTED.
   */
  retry(ask: {
    readonly job: string;
    readonly by: Job['submittedBy'];
    readonly repeatPruned: boolean;
  }): Promise<Retried>;
  /** `job` is the full id. A finished job is left alone. Throws KIT_JOB_UNKNOWN. */
  stop(ask: { readonly job: string; readonly by: string; readonly clientName?: string }): Promise<StopReport>;
  load(): ServerLoad;
  /**
   * Compiles the files anew; new runs use them, running ones keep what they started with, parked
   * ones their snapshot. One at a time. Storage is opened at the start alone: settings that name
   * another place are reported as an error.
   */
  reload(): Promise<ReloadReport>;
  /** Called after each successful reload; the function returned takes it back. */
  onReload(listener: () => Promise<void> | void): () => void;
  /**
   * Accepts nothing more, lets running jobs go on for `graceMs`, then releases their leases: they
   * go on at the next start.
   */
  drain(graceMs: number): Promise<void>;
}
