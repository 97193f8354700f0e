import { isKitError } from '../../domain/errors.js';
import { isTerminal, type Job } from '../../domain/job.js';
import type { JobNeeds, JobOffers } from '../../domain/job-needs.js';
import { blockedBy } from './blocked-by.js';

/**
 * What a run that could go on needs and this machine lacks: one clause each; empty = nothing. The
 * workspace is read only where a run needs more than it. One that cannot be opened is a lack too.
 */
export async function lackingHere(
  job: Job,
  offersFor: (needs: readonly JobNeeds[]) => Promise<JobOffers>,
): Promise<readonly string[]> {
  if (isTerminal(job.status) || job.status === 'running') return [];
  if (!needsMore(job.needs)) return blockedBy(job, { plugins: {}, adapters: {} });
  try {
    return blockedBy(job, await offersFor([job.needs]));
  } catch (error) {
    if (!isKitError(error)) throw error;
    return [`the workspace cannot be opened (${error.code}): ${error.message}`];
  }
}

/** More than a workspace: something that has to be looked for. */
const needsMore = ({ cassette, plugins, adapters, references = {}, worktrees = {} }: JobNeeds): boolean =>
  cassette !== undefined || [plugins, adapters, references, worktrees].some((part) => Object.keys(part).length > 0);
