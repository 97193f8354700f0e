import { isKitError } from '../domain/errors.js';
import type { Fence, Job } from '../domain/job.js';
import type { JobStore } from '../domain/ports/stores.js';
import type { Log } from '../domain/ports/system.js';
import { messageOf } from './failure-of.js';
import { fenceOf } from './fence-of.js';
import { type RunJobDeps, type RunJobResult, runJob } from './run-job.js';

/** A claimed run that this process executes. */
export interface HeldClaim {
  readonly job: Job;
  readonly fence: Fence;
  /** Ends the run here at once; nothing of it is written any more. */
  leave(): void;
  /** `lost`: the lease is gone, or the store took no more writes, and the row may still name this process. */
  readonly done: Promise<RunJobResult>;
}

/** Executes a claim with the one run pipeline. Never rejects: what a store failed to do is a log line and an orphan. */
export function holdClaim(deps: RunJobDeps, job: Job, drain: AbortSignal): HeldClaim {
  const leave = new AbortController();
  return { job, fence: fenceOf(job), leave: () => leave.abort(), done: execute(deps, job, { drain, leave: leave.signal }) };
}

async function execute(deps: RunJobDeps, job: Job, signals: { readonly drain: AbortSignal; readonly leave: AbortSignal }): Promise<RunJobResult> {
  try {
    return await runJob(deps, job, signals);
  } catch (error) {
    deps.log.error('a run could not be carried out', { job: job.id, error: messageOf(error) });
    return { kind: 'lost' };
  }
}

/**
 * Gives a run back that this process can no longer carry out; true = it is not ours any more. A lease is not waited for: on one machine
 * nobody takes over from a process that lives (journal.md 5.4).
 */
export async function giveBack(deps: { readonly jobs: Pick<JobStore, 'release'>; readonly log: Log }, fence: Fence): Promise<boolean> {
  try {
    await deps.jobs.release(fence);
    return true;
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_LEASE_LOST') return true;
    deps.log.warn('a run could not be given back', { job: fence.jobId, error: messageOf(error) });
    return false;
  }
}
