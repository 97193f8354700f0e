import { isKitError } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import type { Stores } from '../domain/ports/stores.js';
import type { RunServices } from '../engine/services.js';
import { Unfinished } from '../engine/unfinished.js';

/**
 * True for a store that does not answer, or is busy beyond patience. It says nothing about the run: nobody may record it as the
 * failure of a step or of the run, which goes on from its journal. What the store says of its own contents (a result that is
 * missing) has no cause outside, and is judged like any other error.
 */
export const isStoreAway = (error: unknown): boolean =>
  isKitError(error) && (error.code === 'KIT_STORE_BUSY' || (error.code === 'KIT_STORE_UNAVAILABLE' && error.cause !== undefined));

/** What the interpreter asks of the stores while it runs. */
type Asked = Pick<RunServices, 'stopRequested' | 'blob' | 'reviews' | 'artifacts'>;

/** The stores as the interpreter sees them: one that is away ends the claim (`onAway`), and leaves what asked it without a result. */
export function askStores(
  stores: Pick<Stores, 'jobs' | 'blobs' | 'reviews' | 'artifacts'>,
  of: { readonly job: Job; readonly onAway: () => void },
): Asked {
  const guarded = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      of.onAway();
      throw new Unfinished('lease_lost');
    }
  };
  return {
    stopRequested: () => guarded(stores.jobs.isStopRequested(of.job.id)),
    blob: (sha256) => guarded(stores.blobs.get(sha256)),
    reviews: { state: (jobId) => guarded(stores.reviews.state(jobId)) },
    artifacts: { put: (artifact) => guarded(stores.artifacts.put(artifact)), read: (sha256) => guarded(stores.artifacts.read(sha256)) },
  };
}
