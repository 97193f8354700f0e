import { KitError } from '../domain/errors.js';
import type { GateRound } from '../domain/gates.js';
import type { Fence } from '../domain/job.js';
import type { QueueLimit } from '../domain/ports/stores.js';

/** The refusals that every store makes in the same words. */
export const jobUnknown = (jobId: string): KitError =>
  new KitError('KIT_JOB_UNKNOWN', `there is no run ${jobId}`, { data: { job_id: jobId } });

export const jobIdUsed = (jobId: string): KitError =>
  new KitError('KIT_JOB_ID_USED', `the run id ${jobId} is already used`, { data: { job_id: jobId } });

export const jobNotResumable = (jobId: string, status: string): KitError =>
  new KitError('KIT_JOB_NOT_RESUMABLE', `run ${jobId} is ${status}`, { data: { job_id: jobId, status } });

export const jobNeedsMore = (jobId: string, missing: readonly string[]): KitError =>
  new KitError('KIT_JOB_NOT_RESUMABLE', `run ${jobId} cannot go on here: ${missing.join('; ')}`, {
    hint: 'Bring back what it names, or resume the run where that is there.',
    data: { job_id: jobId, missing: [...missing] },
  });

export const queueFull = ({ maxQueued }: QueueLimit): KitError =>
  new KitError('KIT_QUEUE_FULL', `${maxQueued} runs wait for a worker, and no more may`, {
    data: { maxQueueDepth: maxQueued },
  });

export const leaseLost = (fence: Fence): KitError =>
  new KitError('KIT_LEASE_LOST', `run ${fence.jobId} is no longer held by this worker (attempt ${fence.attempt})`, {
    data: { job_id: fence.jobId, attempt: fence.attempt },
  });

/**
 * A write that does not fit the journal: the caller is wrong, and nothing of its batch is written.
 */
export const stepRefused = (key: string, problem: string): KitError =>
  new KitError('KIT_INTERNAL', `step ${key} ${problem}`, { data: { key } });

/** A round that does not follow the gate's others. */
export const openingRefused = (gate: GateRound, problem: string): KitError =>
  new KitError('KIT_INTERNAL', `round ${gate.round} of gate ${gate.gateId} ${problem}`, {
    data: { gate_id: gate.gateId, round: gate.round },
  });

/** A change that rewrites what was recorded. */
export const reviewRefused = (problem: string): KitError => new KitError('KIT_INTERNAL', problem);
