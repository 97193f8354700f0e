import { Unfinished } from '../unfinished.js';

/**
 * How many agents of one run may work at the same time (`runtime.max_concurrent_tasks`). Whoever
 * waits for others gives its place back, so nothing waits in a place and no bound can make agents
 * wait for each other in a circle.
 */
export class TaskSlots {
  #free: number;
  readonly #queue = new Set<() => void>();

  constructor(max: number | null) {
    this.#free = max ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Takes a place, first come first served. Throws Unfinished when the scope ends before there is
   * one.
   */
  async take(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new Unfinished('abort');
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        this.#queue.delete(onTurn);
        reject(new Unfinished('abort'));
      };
      const onTurn = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.add(onTurn);
    });
  }

  /** Gives a place to who waits longest, or back. */
  give(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#free += 1;
    else {
      this.#queue.delete(next);
      next();
    }
  }
}
