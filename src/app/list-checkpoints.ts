import type { Job } from '../domain/job.js';
import type { JobNeeds, JobOffers } from '../domain/job-needs.js';
import type { Stores } from '../domain/ports/stores.js';
import { missingEverywhere } from './fleet/missing-everywhere.js';
import { jobsSoFar } from './jobs/so-far.js';
import type { Claimant } from './runs/blocked-by.js';
import { lackingHere } from './runs/lacking-here.js';
import { RESUMABLE, wasBegun } from './runs/resume-run.js';

/** A run that can go on, and why it does not by itself. */
export interface Checkpoint {
  readonly job: Job;
  /** Finished steps that a resume will not repeat. */
  readonly steps: number;
  /** null: this kit can go on with it; otherwise what is missing. */
  readonly blocked: string | null;
  /**
   * What no live server or worker offers that it needs; null: one can go on with it, or none is
   * alive, or their rows cannot be read.
   */
  readonly blockedInFleet: string | null;
}

/** How many runs to list at most, and what they are compared with. */
export interface CheckpointList {
  readonly limit: number;
  /**
   * What this process offers to runs that need this; asked only when some run needs more than a
   * workspace, because it reads that.
   */
  readonly offers: (needs: readonly JobNeeds[]) => Promise<JobOffers>;
  /** The processes that could claim such a run once it may go on; [] = none is alive. */
  readonly claimants: () => Promise<readonly Claimant[]>;
}

/**
 * Resumable runs, newest first. A workspace that cannot be read blocks the runs that need something
 * of it.
 */
export async function listCheckpoints(stores: Stores, list: CheckpointList): Promise<readonly Checkpoint[]> {
  const begun = (await stores.jobs.list({ status: RESUMABLE, limit: list.limit })).filter(wasBegun);
  const jobs = await jobsSoFar(stores, begun);
  const claimants = jobs.length === 0 ? [] : await list.claimants();
  return Promise.all(
    jobs.map(async (job) => {
      const [rows, here] = await Promise.all([stores.runs.load(job.id), lackingHere(job, list.offers)]);
      const inFleet = claimants.length === 0 ? [] : missingEverywhere(job, claimants);
      return {
        job,
        steps: rows.filter((row) => row.outcome !== null).length,
        blocked: textOf(here),
        blockedInFleet: textOf(inFleet),
      };
    }),
  );
}

const textOf = (missing: readonly string[]): string | null => (missing.length === 0 ? null : missing.join('; '));
