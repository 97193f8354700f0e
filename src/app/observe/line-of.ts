import type { Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import { retryIdOf } from '../../worker/retry-id.js';

/** No line is followed further, up or down. */
const MOST = 20;

/**
 * The runs that this one goes on from (forks, retries, what they superseded) and those that retried
 * it, oldest first, with its own id among them; alone = it is the only one. Ids of runs that are
 * gone end the line.
 */
export async function lineOf(stores: Pick<Stores, 'jobs'>, job: Job): Promise<readonly string[]> {
  const line = [job.id];
  let first: Job | null = job;
  while (first !== null && first.parentJobId !== null && line.length < MOST) {
    line.unshift(first.parentJobId);
    first = await stores.jobs.get(first.parentJobId);
  }
  let last: Job | null = await stores.jobs.get(retryIdOf(job.id));
  for (let n = 0; last !== null && n < MOST; n += 1) {
    line.push(last.id);
    last = await stores.jobs.get(retryIdOf(last.id));
  }
  return line;
}
