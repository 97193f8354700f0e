import { KitError } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import type { JobStore } from '../domain/ports/stores.js';

/**
 * A job by its id or a unique prefix of it.
 *
 * Throws KIT_JOB_UNKNOWN, or KIT_JOB_ID_AMBIGUOUS naming the candidates.
 */
export async function findJob(jobs: JobStore, idOrPrefix: string): Promise<Job> {
  const exact = await jobs.get(idOrPrefix);
  if (exact !== null) return exact;
  const candidates = /^[0-9a-f]{3,12}$/.test(idOrPrefix) ? await jobs.list({ idPrefix: idOrPrefix, limit: 6 }) : [];
  const [first, second] = candidates;
  if (first === undefined) throw new KitError('KIT_JOB_UNKNOWN', `there is no run ${idOrPrefix}`);
  if (second !== undefined) {
    const ids = candidates.map((job) => job.id);
    throw new KitError('KIT_JOB_ID_AMBIGUOUS', `${idOrPrefix} fits several runs: ${ids.join(', ')}`, { data: { candidates: ids } });
  }
  return first;
}
