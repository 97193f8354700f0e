import type { Job } from '../domain/job.js';
import { missingNeeds } from '../domain/missing-needs.js';
import type { ClaimRequest } from '../domain/ports/stores.js';
import { jobNeedsMore } from './refusals.js';

/** Throws KIT_JOB_NOT_RESUMABLE when whoever claims the job lacks what it needs. */
export function assertOffered({ id, needs }: Pick<Job, 'id' | 'needs'>, claim: ClaimRequest): void {
  const missing = missingNeeds(needs, claim.offers);
  if (missing.length > 0) throw jobNeedsMore(id, missing);
}
