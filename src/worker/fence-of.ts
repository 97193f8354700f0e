import type { Fence, Job } from '../domain/job.js';

/** The right to write that a claimed row gives. */
export function fenceOf(job: Job): Fence {
  if (job.workerId === null) throw new Error(`job ${job.id} is not claimed`);
  return { jobId: job.id, workerId: job.workerId, attempt: job.attempt };
}
