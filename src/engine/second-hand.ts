import type { Clock } from '../domain/ports/system.js';

/** Milliseconds; what is due in between is so a little later. */
const TICK_MS = 1_000;

/**
 * One timer for everything of a process that waits for a time to be over, or looks at something
 * again and again: thousands of calls that wait at a time take no timer, promise and signal each.
 * It runs while somebody listens.
 */
class SecondHand {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #stop: AbortController | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  each(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#stop === null) {
      this.#stop = new AbortController();
      void this.#run(this.#stop.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.abort(NOBODY);
      this.#stop = null;
    };
  }

  async #run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await this.#clock.sleep(TICK_MS, stop).catch(() => undefined);
      if (!stop.aborted) for (const listener of this.#listeners) listener();
    }
  }
}

/** An abort without a reason would make an error with a stack, for nobody. */
const NOBODY = 'nobody waits';

const hands = new WeakMap<Clock, SecondHand>();

/**
 * Calls about once a second, until the function that is returned is called. `listener` never
 * throws.
 */
export function eachSecond(clock: Clock, listener: () => void): () => void {
  const hand = hands.get(clock) ?? new SecondHand(clock);
  hands.set(clock, hand);
  return hand.each(listener);
}
