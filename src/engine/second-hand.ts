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

/**
 * Calls once when `ms` have gone by, unless what is returned is called before. `callback` never
 * throws. As exact as a timer, and it takes one.
 */
export function afterMs(clock: Clock, ms: number, callback: () => void): () => void {
  if (clock.later !== undefined) return clock.later(ms, callback);
  const off = new AbortController();
  clock.sleep(ms, off.signal).then(callback, () => undefined);
  return () => off.abort(NOBODY);
}

/** Milliseconds; of a limit that is longer nobody sees two seconds more. */
const LONGEST_EXACT_MS = 10_000;

/**
 * Calls once when a limit of `ms` is over, unless what is returned is called before. `callback`
 * never throws. Up to 10 s it is exact; a longer limit is never over early, and up to two seconds
 * late, or as much more as the process was too busy to count. It counts seconds that have gone by:
 * a wall clock that is set cuts nothing off.
 */
export function afterLimit(clock: Clock, ms: number, callback: () => void): () => void {
  if (ms <= LONGEST_EXACT_MS) return afterMs(clock, ms, callback);
  // The first second may be nearly over.
  let left = Math.ceil(ms / TICK_MS) + 1;
  const off = eachSecond(clock, () => {
    left -= 1;
    if (left > 0) return;
    off();
    callback();
  });
  return off;
}
