import { isKitError } from '../domain/errors.js';
import type { Stores } from '../domain/ports/stores.js';
import type { Clock } from '../domain/ports/system.js';
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

/** As long as a write waits for trouble that passes; a database that starts again is back by then. */
const PATIENCE_MS = 10_000;
const AGAIN_MS = 250;

export interface AskStores {
  readonly jobId: string;
  readonly clock: Clock;
  /** Of the task scope: nobody waits for an answer any more. */
  readonly signal: AbortSignal;
  /** The store stayed away. */
  readonly onAway: () => void;
}

/**
 * The stores as the interpreter sees them. One that is away is asked again for a while, as a write is tried again; one that stays away
 * ends the claim, and leaves what asked it without a result.
 */
export function askStores(stores: Pick<Stores, 'jobs' | 'blobs' | 'reviews' | 'artifacts'>, of: AskStores): Asked {
  const patiently = async <T>(ask: () => Promise<T>): Promise<T> => {
    const untilMs = of.clock.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!isStoreAway(error)) throw error;
        if (of.clock.now() >= untilMs) {
          of.onAway();
          throw new Unfinished('lease_lost');
        }
        await of.clock.sleep(AGAIN_MS, of.signal).catch(() => undefined);
        if (of.signal.aborted) throw new Unfinished('abort');
      }
    }
  };
  return {
    stopRequested: () => patiently(() => stores.jobs.isStopRequested(of.jobId)),
    blob: (sha256) => patiently(() => stores.blobs.get(sha256)),
    reviews: { state: (jobId) => patiently(() => stores.reviews.state(jobId)) },
    artifacts: {
      put: (artifact) => patiently(() => stores.artifacts.put(artifact)),
      read: (sha256) => patiently(() => stores.artifacts.read(sha256)),
    },
  };
}
