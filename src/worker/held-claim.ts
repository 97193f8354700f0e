import { isKitError, messageOf } from '../domain/errors.js';
import type { Fence, Job } from '../domain/job.js';
import type { JobStore } from '../domain/ports/stores.js';
import type { Log } from '../domain/ports/system.js';
import { lostBy } from './failure-of.js';
import { fenceOf } from './fence-of.js';
import { runJob } from './run-job.js';
import type { RunJobDeps, RunJobResult } from './run-job-deps.js';
import type { RunJobOptions } from './run-job-options.js';

/** A claimed run that this process executes. */
export interface HeldClaim {
  readonly job: Job;
  readonly fence: Fence;
  /** Ends the run here at once; nothing of it is written any more. */
  leave(): void;
  /**
   * `lost`: the lease is gone, or the store took no more writes, and the row may still name this
   * process.
   */
  readonly done: Promise<RunJobResult>;
}

/**
 * Executes a claim with the one run pipeline. Never rejects: what a store failed to do is a log
 * line and an orphan.
 */
export function holdClaim(
  deps: RunJobDeps,
  job: Job,
  of: { readonly drain: AbortSignal; readonly askedAtMs: number },
): HeldClaim {
  const leave = new AbortController();
  return {
    job,
    fence: fenceOf(job),
    leave: () => leave.abort(),
    done: execute(deps, job, { ...of, leave: leave.signal }),
  };
}

async function execute(deps: RunJobDeps, job: Job, options: RunJobOptions): Promise<RunJobResult> {
  try {
    return await runJob(deps, job, options);
  } catch (error) {
    deps.log.error('a run could not be carried out', { job: job.id, error: messageOf(error) });
    return lostBy(error);
  }
}

/** A run whose row still names this process, which no longer executes it. */
export interface Orphan {
  readonly fence: Fence;
  /** What could not be done with it, where that is not an outage. */
  readonly why?: string;
}

/**
 * Gives a run back that this process can no longer carry out; true = it is not ours any more. A
 * lease is not waited for: on one machine nobody takes over from a process that lives
 * (docs/design/journal.md#same-host).
 */
export async function giveBack(
  deps: { readonly jobs: Pick<JobStore, 'release'>; readonly log: Log },
  { fence, why }: Orphan,
): Promise<boolean> {
  try {
    await deps.jobs.release(fence, why);
    return true;
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_LEASE_LOST') return true;
    deps.log.warn('a run could not be given back', { job: fence.jobId, error: messageOf(error) });
    return false;
  }
}
