import type { Fence } from '../domain/job.js';

/**
 * Keeps the commits of one run in call order and without holes. A batch with large results waits
 * for its blobs, and those handed in after it wait behind it; once one fails, those already handed
 * in fail with it: a journal that lacks a step but holds a later one would replay into something
 * that never happened.
 */
export interface CommitQueues {
  /**
   * `prepare` runs at once; `enqueue` once all earlier calls of this run have enqueued. The `guard`
   * it is given goes around the work inside the transaction.
   */
  enter<T>(fence: Fence, prepare: (() => Promise<void>) | null, enqueue: (guard: Guard) => Promise<T>): Promise<T>;
}

/** Goes around the work of one batch inside the transaction. */
export type Guard = <T>(work: () => T) => T;

interface CommitQueue {
  readonly key: string;
  inFlight: number;
  /** Settles when the calls so far have enqueued; null when they all have. Never rejects. */
  enqueued: Promise<void> | null;
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
export const queueOf = (fence: Fence): string => `${fence.attempt} ${fence.jobId} ${fence.workerId}`;

export function createCommitQueues(): CommitQueues {
  const queues = new Map<string, CommitQueue>();
  const open = (key: string): CommitQueue => {
    const known = queues.get(key);
    if (known !== undefined) return known;
    const queue: CommitQueue = { key, inFlight: 0, enqueued: null, failure: null, next: 0 };
    queues.set(key, queue);
    return queue;
  };
  const leave = (queue: CommitQueue): void => {
    queue.inFlight -= 1;
    if (queue.inFlight === 0) queues.delete(queue.key);
  };
  return {
    enter(fence, prepare, enqueue) {
      const queue = open(queueOf(fence));
      const call = queue.next++;
      queue.inFlight += 1;
      const entered =
        queue.enqueued === null && prepare === null
          ? enqueue(guardOf(queue, call))
          : waitAndEnqueue(queue, call, { prepare, enqueue });
      // Before whoever handed the call in: what it does next finds the queue as it is then.
      entered.then(
        () => leave(queue),
        (error: unknown) => {
          queue.failure ??= { error, call };
          leave(queue);
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
function guardOf(queue: CommitQueue, call: number): Guard {
  return (work) => {
    if (queue.failure !== null && queue.failure.call < call) throw queue.failure.error;
    try {
      return work();
    } catch (error) {
      queue.failure = { error, call };
      throw error;
    }
  };
}

interface Handed<T> {
  readonly prepare: (() => Promise<void>) | null;
  readonly enqueue: (guard: Guard) => Promise<T>;
}

async function waitAndEnqueue<T>(queue: CommitQueue, call: number, { prepare, enqueue }: Handed<T>): Promise<T> {
  const ready = Promise.all([queue.enqueued, prepare?.()]);
  const enqueued = ready.then(
    () => undefined,
    (error: unknown) => {
      queue.failure ??= { error, call };
    },
  );
  queue.enqueued = enqueued;
  try {
    await ready;
  } finally {
    if (queue.enqueued === enqueued) queue.enqueued = null;
  }
  return enqueue(guardOf(queue, call));
}
