import { isKitError } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import type { JobNeeds, JobOffers } from '../domain/job-needs.js';
import type { Stores } from '../domain/ports/stores.js';
import { missingEverywhere } from './fleet/missing-everywhere.js';
import { blockedBy, type Claimant } from './runs/blocked-by.js';
import { needsMore } from './runs/lacking-here.js';
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

const NOTHING: JobOffers = { plugins: {}, adapters: {}, references: [] };

/**
 * Resumable runs, newest first. A workspace that cannot be read blocks the runs that need something
 * of it.
 */
export async function listCheckpoints(stores: Stores, list: CheckpointList): Promise<readonly Checkpoint[]> {
  const jobs = (await stores.jobs.list({ status: RESUMABLE, limit: list.limit })).filter(wasBegun);
  const offered = jobs.some(needsAnything) ? await offersOrProblem(list, jobs) : { offers: NOTHING };
  const claimants = jobs.length === 0 ? [] : await list.claimants();
  return Promise.all(
    jobs.map(async (job) => {
      const rows = await stores.runs.load(job.id);
      const inFleet = claimants.length === 0 ? [] : missingEverywhere(job, claimants);
      return {
        job,
        steps: rows.filter((row) => row.outcome !== null).length,
        blocked: reasonOf(job, offered),
        blockedInFleet: inFleet.length === 0 ? null : inFleet.join('; '),
      };
    }),
  );
}

type Offered = { readonly offers: JobOffers } | { readonly problem: string };

const needsAnything = ({ needs }: Job): boolean => needsMore(needs);

function reasonOf(job: Job, offered: Offered): string | null {
  if ('problem' in offered && needsAnything(job)) return offered.problem;
  const missing = blockedBy(job, 'offers' in offered ? offered.offers : NOTHING);
  return missing.length === 0 ? null : missing.join('; ');
}

async function offersOrProblem(list: CheckpointList, jobs: readonly Job[]): Promise<Offered> {
  try {
    return { offers: await list.offers(jobs.map(({ needs }) => needs)) };
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { problem: `the workspace cannot be opened (${error.code}): ${error.message}` };
  }
}
