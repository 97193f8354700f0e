import type { Job } from '../domain/job.js';
import { ENGINE } from '../domain/journal.js';
import type { Stores } from '../domain/ports/stores.js';

/** A run that can go on, and why it does not by itself. */
export interface Checkpoint {
  readonly job: Job;
  /** Finished steps that a resume will not repeat. */
  readonly steps: number;
  /** null: this kit can go on with it; otherwise what is missing. */
  readonly blocked: string | null;
}

/** Resumable runs, newest first (gaps K10). */
export async function listCheckpoints(stores: Stores, limit: number): Promise<readonly Checkpoint[]> {
  const jobs = await stores.jobs.list({ status: ['deferred', 'stopped'], limit });
  return Promise.all(
    jobs.map(async (job) => {
      const rows = await stores.runs.load(job.id);
      const blocked = job.engine === ENGINE ? null : `recorded by engine ${job.engine}; this kit has engine ${ENGINE}`;
      return { job, steps: rows.filter((row) => row.outcome !== null).length, blocked };
    }),
  );
}
