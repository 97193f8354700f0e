import type { Job, JobOffers } from '../../domain/job.js';
import { ENGINE } from '../../domain/journal.js';
import { missingNeeds } from '../../lib/missing-needs.js';

/** Why this kit, with what it offers, cannot go on with a run: one clause each; empty = it can (journal.md 4.4). */
export function blockedBy(job: Pick<Job, 'engine' | 'needs'>, offers: JobOffers): readonly string[] {
  const engine = job.engine === ENGINE ? [] : [`it was recorded by engine ${job.engine}, and this kit has engine ${ENGINE}`];
  return [...engine, ...missingNeeds(job.needs, offers)];
}
