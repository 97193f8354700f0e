import type { JobNeeds } from '../../domain/job-needs.js';
import type { ClaimRequest } from '../../domain/ports/stores.js';

/** A claim of this process of one job, with what it offers of these needs. */
export type ClaimFor = (needs: JobNeeds) => Promise<Omit<ClaimRequest, 'jobId'>>;
