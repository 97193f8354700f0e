import type { Fence } from '../domain/job.js';

/**
 * Keeps the commits of one run in call order and without holes. A batch with large results waits
 * for its blobs, and those handed in after it wait behind it; once one fails, those already handed
 * in fail with it: a journal that lacks a step but holds a later one would replay into something
 * that never happened.
 */
export interface Lanes {
  /**
   * `prepare` runs at once; `enqueue` once all earlier calls of this run have enqueued. The `guard`
   * it is given goes around the work inside the transaction.
   */
  enter<T>(fence: Fence, prepare: (() => Promise<void>) | null, enqueue: (guard: Guard) => Promise<T>): Promise<T>;
}

/** Goes around the work of one batch inside the transaction. */
export type Guard = <T>(work: () => T) => T;

interface Lane {
  readonly key: string;
  inFlight: number;
  /** Settles when the calls so far have enqueued; null when they all have. Never rejects. */
  gate: Promise<void> | null;
  failure: Failure | null;
  /** Number of the next call. */
  next: number;
}

interface Failure {
  readonly error: unknown;
  /** Number of the call that failed: those behind it fail with it, those before it stand. */
  readonly call: number;
}

/** Which commits stand behind each other: those of one claim of one run. */
export const laneOf = (fence: Fence): string => `${fence.attempt} ${fence.jobId} ${fence.workerId}`;

export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>();
  const open = (key: string): Lane => {
    const known = lanes.get(key);
    if (known !== undefined) return known;
    const lane: Lane = { key, inFlight: 0, gate: null, failure: null, next: 0 };
    lanes.set(key, lane);
    return lane;
  };
  const leave = (lane: Lane): void => {
    lane.inFlight -= 1;
    if (lane.inFlight === 0) lanes.delete(lane.key);
  };
  return {
    enter(fence, prepare, enqueue) {
      const lane = open(laneOf(fence));
      const call = lane.next++;
      lane.inFlight += 1;
      const entered =
        lane.gate === null && prepare === null
          ? enqueue(guardOf(lane, call))
          : waitAndEnqueue(lane, call, { prepare, enqueue });
      // Before whoever handed the call in: what it does next finds the lane as it is then.
      entered.then(
        () => leave(lane),
        (error: unknown) => {
          lane.failure ??= { error, call };
          leave(lane);
        },
      );
      return entered;
    },
  };
}

/**
 * Inside the transaction: refuse behind a failure, and remember one at once (the next entry may
 * share this very group). The work of a group may run twice.
 */
function guardOf(lane: Lane, call: number): Guard {
  return (work) => {
    if (lane.failure !== null && lane.failure.call < call) throw lane.failure.error;
    try {
      return work();
    } catch (error) {
      lane.failure = { error, call };
      throw error;
    }
  };
}

interface Handed<T> {
  readonly prepare: (() => Promise<void>) | null;
  readonly enqueue: (guard: Guard) => Promise<T>;
}

async function waitAndEnqueue<T>(lane: Lane, call: number, { prepare, enqueue }: Handed<T>): Promise<T> {
  const ready = Promise.all([lane.gate, prepare?.()]);
  const gate = ready.then(
    () => undefined,
    (error: unknown) => {
      lane.failure ??= { error, call };
    },
  );
  lane.gate = gate;
  try {
    await ready;
  } finally {
    if (lane.gate === gate) lane.gate = null;
  }
  return enqueue(guardOf(lane, call));
}
