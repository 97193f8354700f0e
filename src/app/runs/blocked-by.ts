import type { Job, JobClass } from '../../domain/job.js';
import type { JobOffers } from '../../domain/job-needs.js';
import { ENGINE } from '../../domain/journal.js';
import { missingNeeds } from '../../domain/missing-needs.js';
import type { WaitingKind } from '../../domain/ports/serving.js';

/** Who claims, and what is there: the other side of `WaitingKind`. */
export interface Claimant {
  readonly engine: number;
  readonly jobClass: JobClass | 'any';
  readonly offers: JobOffers;
}

/**
 * What keeps a claimant from a job: one clause each; empty = nothing does. The rule of the claim,
 * in words.
 */
export function lacking(job: WaitingKind, claimant: Claimant): readonly string[] {
  const engine =
    job.engine === claimant.engine
      ? []
      : [`it goes on with kit engine ${job.engine}, and this is engine ${claimant.engine}`];
  const isClaimed = claimant.jobClass === 'any' || claimant.jobClass === job.jobClass;
  const jobClass = isClaimed
    ? []
    : [`it is of the class ${job.jobClass}, and only the class ${claimant.jobClass} is claimed`];
  return [...engine, ...jobClass, ...missingNeeds(job.needs, claimant.offers)];
}

/** This kit with what it offers, as `kit run` claims. */
export const thisKit = (offers: JobOffers): Claimant => ({ engine: ENGINE, jobClass: 'any', offers });

/** Why this kit, with what it offers, cannot go on with a run: one clause each; empty = it can. */
export const blockedBy = (job: Pick<Job, 'engine' | 'jobClass' | 'needs'>, offers: JobOffers): readonly string[] =>
  lacking(job, thisKit(offers));
