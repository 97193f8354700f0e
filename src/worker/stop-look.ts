import type { Clock } from '../domain/ports/system.js';
import { eachSecond } from '../engine/second-hand.js';
import type { StopWatch } from '../engine/stop-watch.js';
import { onAbort } from '../lib/on-abort.js';

const SEEN = 'the run was stopped';

/**
 * Looks for a stop in the store, about once a second while somebody watches: one that this process
 * took in is looked for at once. A run that waits for nothing costs no look.
 */
export class StopLook implements StopWatch {
  readonly #clock: Clock;
  readonly #asked: AbortSignal | undefined;
  readonly #isAsked: () => Promise<boolean>;
  readonly #seen = new AbortController();
  #watchers = 0;
  #isReading = false;
  #unsubscribes: readonly (() => void)[] = [];

  constructor(of: { readonly clock: Clock; readonly stop?: AbortSignal | undefined }, isAsked: () => Promise<boolean>) {
    this.#clock = of.clock;
    this.#asked = of.stop;
    this.#isAsked = isAsked;
  }

  get signal(): AbortSignal {
    return this.#seen.signal;
  }

  watch(): () => void {
    this.#watchers += 1;
    // What this process took in before is there to be seen.
    if (this.#watchers === 1)
      this.#unsubscribes = [eachSecond(this.#clock, this.#look), onAbort(this.#asked, this.#look)];
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      this.#watchers -= 1;
      if (this.#watchers === 0) for (const unsubscribe of this.#unsubscribes) unsubscribe();
    };
  }

  readonly #look = (): void => {
    if (this.#isReading || this.#seen.signal.aborted) return;
    this.#isReading = true;
    // What the store cannot say now, the next look or the next boundary will.
    void this.#isAsked()
      .catch(() => false)
      .then((isAsked) => {
        this.#isReading = false;
        if (isAsked) this.#seen.abort(SEEN);
      });
  };
}
