import { isKitError } from '../domain/errors.js';
import type { Fence } from '../domain/job.js';
import type { MemoryCandidate } from '../domain/ports/memory.js';
import type { Stores } from '../domain/ports/stores.js';
import { type Clock, onwardTime } from '../domain/ports/system.js';
import type { RunMemory, RunStores } from '../engine/services/run-stores.js';
import type { TaskScope } from '../engine/services.js';
import { Unfinished } from '../engine/unfinished.js';
import type { RunFacilities } from './facilities.js';
import { StopLook } from './stop-look.js';
import { isStoreOutage, isStoreTrouble } from './store-errors.js';

/** What the interpreter asks of the stores while it runs. */
type RetriedStores = RunStores & Pick<TaskScope, 'stopRequested' | 'stops'>;

/**
 * As long as a write waits for trouble that passes; a database that starts again is back by then.
 */
const RETRY_WINDOW_MS = 10_000;
const RETRY_INTERVAL_MS = 250;

export interface RetryOptions {
  /** Of the claim that asks. */
  readonly fence: Fence;
  /** Identity of the submitter. */
  readonly owner: string;
  /** What is remembered is masked like the journal. */
  readonly facilities: Pick<RunFacilities, 'mask' | 'aroundMemory'>;
  readonly clock: Clock;
  /** Of the task scope: nobody waits for an answer any more. */
  readonly signal: AbortSignal;
  /** A stop was asked for in this process. */
  readonly stop?: AbortSignal | undefined;
  /** The store stayed away, or refuses to answer this. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * The stores as the interpreter sees them. One that is away is asked again for a while, as a write
 * is tried again; one that stays away ends the claim, as does one that refuses to answer, and
 * leaves what asked it without a result.
 */
export function retryingStores(
  stores: Pick<Stores, 'jobs' | 'blobs' | 'reviews' | 'artifacts' | 'memory' | 'knowledge'>,
  of: RetryOptions,
): RetriedStores {
  /** `isVital`: false where a refusal is an answer that the run goes on with. */
  const retried = <T>(ask: () => Promise<T>, isVital = true): Promise<T> => {
    const time = onwardTime(of.clock);
    const again = async (error: unknown): Promise<T> => {
      const isOver = isKitError(error) && error.code === 'KIT_LEASE_LOST';
      if (!isOver && (!isStoreTrouble(error) || (!isVital && !isStoreOutage(error)))) throw error;
      if (!isStoreOutage(error) || time() >= RETRY_WINDOW_MS) {
        of.onFailed(error);
        throw new Unfinished('lease_lost');
      }
      await of.clock.sleep(RETRY_INTERVAL_MS, of.signal).catch(() => undefined);
      if (of.signal.aborted) throw new Unfinished('abort');
      return ask().catch(again);
    };
    return ask().catch(again);
  };
  const { jobId } = of.fence;
  const { mask, aroundMemory } = of.facilities;
  const memory: RunMemory = {
    owner: of.owner,
    find: (reader, ask) => retried(() => stores.memory.find(reader, ask)),
    // It is written when the run has its answer: a store of memory that refuses it takes nothing
    // from that.
    write: (write) =>
      retried(
        async () =>
          stores.memory.write({
            ...write,
            candidates: write.candidates.map((one) => ({ ...one, ...mask(textsOf(one)) })),
          }),
        false,
      ),
  };
  return {
    stopRequested: () => retried(() => stores.jobs.isStopRequested(jobId)),
    stops: new StopLook(of, () => stores.jobs.isStopRequested(jobId)),
    blob: (sha256) => retried(() => stores.blobs.get(sha256)),
    reviews: { state: (jobId) => retried(() => stores.reviews.state(jobId)) },
    memory: aroundMemory?.(memory) ?? memory,
    knowledge: { find: (index, ask) => retried(() => stores.knowledge.find(index, ask)) },
    artifacts: {
      put: (artifact) => retried(() => stores.artifacts.put(artifact, of.fence)),
      read: (sha256) => retried(() => stores.artifacts.read(sha256)),
    },
  };
}

const textsOf = ({ subject, attribute, value, source }: MemoryCandidate) => ({ subject, attribute, value, source });
