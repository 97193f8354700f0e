import { ERROR_REGISTRY, type ErrorCode } from '../domain/error-registry.js';
import { isKitError, type KitError } from '../domain/errors.js';
import type { Fence } from '../domain/job.js';
import type { MemoryCandidate } from '../domain/ports/memory.js';
import type { Stores } from '../domain/ports/stores.js';
import type { Clock } from '../domain/ports/system.js';
import type { RunMemory, RunStores } from '../engine/services/run-stores.js';
import type { TaskScope } from '../engine/services.js';
import { Unfinished } from '../engine/unfinished.js';
import type { RunFacilities } from './facilities.js';
import { messageOf } from './failure-of.js';
import type { RunJobResult } from './run-job-deps.js';
import { StopLook } from './stop-look.js';

/**
 * True for a store that nobody reaches now, or that is busy beyond patience: a socket that broke, a
 * server that starts, stops, is full or takes no writes, a lock that another transaction holds. It
 * says nothing about the run: the run is left, goes on from its journal when the store is back, and
 * nothing is counted. That is all there is to an outage: what a living server answers to one
 * statement is none (KIT_STORE_REFUSED), and what the store says of its own contents (a result that
 * is missing) has no cause outside and is judged like any other error.
 */
export const isStoreAway = (error: unknown): error is KitError =>
  isKitError(error) && (AWAY.has(error.code) || (error.code === 'KIT_STORE_UNAVAILABLE' && error.cause !== undefined));

const AWAY: ReadonlySet<ErrorCode> = new Set([
  'KIT_STORE_BUSY',
  'KIT_STORE_FULL',
  'KIT_STORE_READ_ONLY',
  'KIT_TOO_MANY_FILES',
]);

/**
 * The store did not do its part, for whatever cause: nobody may record that as the failure of a
 * step or of the run.
 */
export const isStoreTrouble = (error: unknown): boolean =>
  isStoreAway(error) ||
  (isKitError(error) && (error.code === 'KIT_STORE_REFUSED' || error.code === 'KIT_STORE_CORRUPT'));

export type Lost = Extract<RunJobResult, { kind: 'lost' }>;

/**
 * A claim that ends with this error. An outage, or a lease that another process has, is nobody's
 * fault; with anything else the next claim would come to the same (a result that the store refuses
 * for itself), so it says `why`, and giving the run back counts: a third time ends it
 * (docs/design/journal.md#crashes). Chosen so because it needs no view of other runs: a give-back
 * that counts is itself a write that the store took.
 */
export function lostBy(error: unknown, mask: (text: string) => string = (text) => text): Lost {
  const isExcused =
    isStoreAway(error) || error instanceof Unfinished || (isKitError(error) && error.code === 'KIT_LEASE_LOST');
  const message = mask(messageOf(error));
  return {
    kind: 'lost',
    ...(isExcused ? {} : { why: message }),
    ...troubleOf(error, message),
  };
}

/**
 * Whoever waits for the run is told which store it was, and the way on: that of the code, or one of
 * its own (the setting that names the store, a right that is missing). What a living server answers
 * to one statement has a way on only where it says so.
 */
function troubleOf(error: unknown, message: string): Pick<Lost, 'trouble'> {
  if (!isKitError(error)) return {};
  const { code, hint } = error;
  const own = hint === ERROR_REGISTRY[code].hint ? undefined : hint;
  const isTold = isStoreAway(error) || code === 'KIT_STORE_CORRUPT' || (code === 'KIT_STORE_REFUSED' && own);
  return isTold ? { trouble: { code, message, ...(own === undefined ? {} : { hint: own }) } } : {};
}

/** What the interpreter asks of the stores while it runs. */
type AskedStores = RunStores & Pick<TaskScope, 'stopRequested' | 'stops'>;

/**
 * As long as a write waits for trouble that passes; a database that starts again is back by then.
 */
const PATIENCE_MS = 10_000;
const AGAIN_MS = 250;

export interface AskStores {
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
export function askStores(
  stores: Pick<Stores, 'jobs' | 'blobs' | 'reviews' | 'artifacts' | 'memory' | 'knowledge'>,
  of: AskStores,
): AskedStores {
  /** `isVital`: false where a refusal is an answer that the run goes on with. */
  const patiently = async <T>(ask: () => Promise<T>, isVital = true): Promise<T> => {
    const untilMs = of.clock.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const isOver = isKitError(error) && error.code === 'KIT_LEASE_LOST';
        if (!isOver && (!isStoreTrouble(error) || (!isVital && !isStoreAway(error)))) throw error;
        if (!isStoreAway(error) || of.clock.now() >= untilMs) {
          of.onFailed(error);
          throw new Unfinished('lease_lost');
        }
        await of.clock.sleep(AGAIN_MS, of.signal).catch(() => undefined);
        if (of.signal.aborted) throw new Unfinished('abort');
      }
    }
  };
  const { jobId } = of.fence;
  const { mask, aroundMemory } = of.facilities;
  const memory: RunMemory = {
    owner: of.owner,
    find: (reader, ask) => patiently(() => stores.memory.find(reader, ask)),
    // It is written when the run has its answer: a store of memory that refuses it takes nothing
    // from that.
    write: (write) =>
      patiently(
        () =>
          stores.memory.write({
            ...write,
            candidates: write.candidates.map((one) => ({ ...one, ...mask(textsOf(one)) })),
          }),
        false,
      ),
  };
  return {
    stopRequested: () => patiently(() => stores.jobs.isStopRequested(jobId)),
    stops: new StopLook(of, () => stores.jobs.isStopRequested(jobId)),
    blob: (sha256) => patiently(() => stores.blobs.get(sha256)),
    reviews: { state: (jobId) => patiently(() => stores.reviews.state(jobId)) },
    memory: aroundMemory?.(memory) ?? memory,
    knowledge: { find: (index, ask) => patiently(() => stores.knowledge.find(index, ask)) },
    artifacts: {
      put: (artifact) => patiently(() => stores.artifacts.put(artifact, of.fence)),
      read: (sha256) => patiently(() => stores.artifacts.read(sha256)),
    },
  };
}

const textsOf = ({ subject, attribute, value, source }: MemoryCandidate) => ({ subject, attribute, value, source });
