import type { RunStore, Stores } from '../domain/ports/stores.js';

/**
 * Calm turns of the event loop before the next answer: an end of a step is held back for one
 * (docs/design/journal.md#shared-commit).
 */
const CALM_TURNS = 2;

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
 * Gives answers in rounds. A round begins when everything that the one before set in motion is
 * written and has come to rest: then who waits is no matter of time. Served is whoever is next in
 * the recording: a call that failed after its siblings had done much work fails after that work.
 * What is next and is not waiting at rest will not come, and is passed over. How commits are
 * grouped depends on the clock; this way it decides nothing, and every replay of a cassette writes
 * its log in the same order.
 */
export class Turns {
  readonly #pause: () => Promise<void>;
  readonly #waiting: Waiting[] = [];
  readonly #commits = new Set<Promise<unknown>>();
  #isServing = false;
  /** Every answer before this one was given, or passed over. */
  #next = 0;

  /** `pause` gives one turn of the event loop away. */
  constructor(pause: () => Promise<void>) {
    this.#pause = pause;
  }

  /** Resolves when it is the turn of this answer. */
  enter(place: Place): Promise<void> {
    return new Promise((enter) => {
      this.#waiting.push({ ...place, enter });
      if (!this.#isServing) void this.#serve();
    });
  }

  /** The same stores; what a run commits through them counts as motion. */
  watch(stores: Stores): Stores {
    const { runs } = stores;
    const commit: RunStore['commit'] = (fence, writes) => this.#during(runs.commit(fence, writes));
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
      await this.#calm();
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

  async #calm(): Promise<void> {
    for (let calm = 0; calm < CALM_TURNS; ) {
      await Promise.allSettled([...this.#commits]);
      await this.#pause();
      calm = this.#commits.size === 0 ? calm + 1 : 0;
    }
  }
}
