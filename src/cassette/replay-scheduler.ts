import type { RunStore, Stores } from '../domain/ports/stores.js';

/**
 * Idle turns of the event loop before the next answer: an end of a step is held back for one
 * (docs/design/journal.md#shared-commit).
 */
const IDLE_TURNS = 2;

/** Where an answer stands. */
export interface Place {
  /** Its place in the recording, from 0; Infinity for what was not recorded. */
  readonly order: number;
  /**
   * True for one that writes more than once before it comes to rest, such as a session with
   * messages: nothing goes on beside it.
   */
  readonly isAlone: boolean;
}

interface Waiting extends Place {
  readonly enter: () => void;
}

/**
 * Gives recorded answers in rounds, in the order of the recording. A round begins when all that the
 * round before has set in motion is written, and the event loop is idle: who waits by then does not
 * depend on time. How commits are grouped does; this way it decides nothing, and every replay of a
 * cassette writes its log in the same order.
 *
 *     recorded    0: a asks   1: b asks   2: c asks, after a   3: b fails
 *     waiting     a, b        served 0 and 1: both are next, without a gap
 *     idle        c, b        served 2 and 3: c came after a, so b fails after its work
 *
 * If the next recorded call is not waiting once the loop is idle, it will not come, and is skipped.
 */
export class ReplayScheduler {
  readonly #pause: () => Promise<void>;
  readonly #waiting: Waiting[] = [];
  readonly #commits = new Set<Promise<unknown>>();
  #isServing = false;
  /** Every answer before this one was given, or skipped. */
  #next = 0;

  /** `pause` gives one turn of the event loop away. */
  constructor(pause: () => Promise<void>) {
    this.#pause = pause;
  }

  /** Resolves when this answer is to be given. */
  enter(place: Place): Promise<void> {
    return new Promise((enter) => {
      this.#waiting.push({ ...place, enter });
      if (!this.#isServing) void this.#serve();
    });
  }

  /** The same stores; what a run commits through them counts as motion. */
  watch(stores: Stores): Stores {
    const { runs } = stores;
    const commit: RunStore['commit'] = (fence, ...batches) => this.#during(runs.commit(fence, ...batches));
    return {
      ...stores,
      runs: {
        load: (jobId) => runs.load(jobId),
        produced: (jobId) => runs.produced(jobId),
        commit,
        prune: (request) => runs.prune(request),
      },
    };
  }

  #during<T>(commit: Promise<T>): Promise<T> {
    this.#commits.add(commit);
    const settled = (): void => void this.#commits.delete(commit);
    commit.then(settled, settled);
    return commit;
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    while (this.#waiting.length > 0) {
      await this.#idle();
      this.#waiting.sort((a, b) => a.order - b.order);
      for (const one of this.#waiting.splice(0, this.#roundLength())) {
        this.#next = one.order + 1;
        one.enter();
      }
    }
    this.#isServing = false;
  }

  /** Those that are next without a gap, up to one that has to be alone; the first in any case. */
  #roundLength(): number {
    const end = this.#waiting.findIndex(({ order, isAlone }, index) => isAlone || order !== this.#next + index);
    return end === -1 ? this.#waiting.length : Math.max(1, end);
  }

  async #idle(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS; ) {
      await Promise.allSettled([...this.#commits]);
      await this.#pause();
      idle = this.#commits.size === 0 ? idle + 1 : 0;
    }
  }
}
