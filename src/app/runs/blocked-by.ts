import type { Job, JobClass } from '../../domain/job.js';
import type { JobNeeds, JobOffers } from '../../domain/job-needs.js';
import { ENGINE } from '../../domain/journal.js';
import { missingNeeds } from '../../lib/missing-needs.js';

/** What a claim asks of whoever makes it (docs/design/journal.md#engine-and-needs). */
export interface Claimable {
  readonly engine: number;
  readonly jobClass: JobClass;
  readonly needs: JobNeeds;
}

/** Who claims, and what is there: the other side of `Claimable`. */
export interface Claimant {
  readonly engine: number;
  readonly jobClass: JobClass | 'any';
  readonly offers: JobOffers;
}

/**
 * What keeps a claimant from a job: one clause each; empty = nothing does. The rule of the claim,
 * in words.
 */
export function lacking(job: Claimable, claimant: Claimant): readonly string[] {
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
