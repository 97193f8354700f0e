import type { JobClass } from '../../domain/job.js';
import type { WorkChange } from '../../worker/work-change.js';
import type { ServerLoad } from '../serve/serve-app.js';

export type { WorkChange } from '../../worker/work-change.js';

/** What a worker is started with. */
export interface WorkOptions {
  /** Absolute directory. */
  readonly workspace: string;
  /**
   * Which runs it claims: those with a harness or another executor, those that only call models, or
   * both.
   */
  readonly jobClass: JobClass | 'any';
  /** Runs at once, >= 1. Null: `server.jobs.max_concurrent`. */
  readonly concurrency: number | null;
  /** Called with each claim and how it ended. */
  readonly onChange: (change: WorkChange) => void;
}

/** A worker that has begun to work. */
export interface WorkerFacts {
  /** `<host>:<pid>:<random>`, by which `jobs.worker_id` names it. */
  readonly workerId: string;
  readonly concurrency: number;
  /** Engine and place of the store, without a password. */
  readonly storage: string;
  /** `server.jobs.shutdown_seconds`. */
  readonly shutdownMs: number;
}

/**
 * A process that executes runs which others accepted: it claims by class, engine, needs, priority
 * and age, takes over what crashed, fires deadlines, and goes on with what was decided. The
 * workspace is compiled once, at the start, for what is live (roles, adapters, plugins,
 * credentials); snapshots decide the work. Another plugin or adapter needs another start.
 */
export interface WorkerApp {
  /**
   * Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID, KIT_POLICY_INVALID, KIT_WORKER_REFUSED
   * for a store that machines cannot share, KIT_STORE_*: nothing is claimed then.
   */
  start(options: WorkOptions): Promise<WorkerFacts>;
  /**
   * Resolves once a look at the queue has found nothing for this worker while none of its runs
   * executes: the end of `--once`.
   */
  idle(): Promise<void>;
  load(): Promise<ServerLoad>;
  /**
   * Claims nothing more, lets running jobs go on for `graceMs`, then releases their leases: they go
   * on where they are claimed next.
   */
  drain(graceMs: number): Promise<void>;
}
