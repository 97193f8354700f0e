import type { Clock } from '../domain/ports/system.js';
import type { StopWatch } from '../engine/stop-watch.js';
import { onAbort } from '../lib/on-abort.js';

/** A stop that another process took in is seen within a second, with the answer of the store. */
const LOOK_MS = 900;
const SEEN = 'the run was stopped';
const UNWATCHED = 'nobody watches';

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
  #unwatched = new AbortController();

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
    if (this.#watchers === 1) {
      this.#unwatched = new AbortController();
      void this.#look(this.#unwatched.signal);
    }
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      this.#watchers -= 1;
      if (this.#watchers === 0) this.#unwatched.abort(UNWATCHED);
    };
  }

  async #look(unwatched: AbortSignal): Promise<void> {
    const now = new AbortController();
    const deaf = [onAbort(this.#asked, () => now.abort(SEEN)), onAbort(unwatched, () => now.abort(UNWATCHED))];
    // What this process took in before is there to be seen.
    let isDue = now.signal.aborted;
    while (!unwatched.aborted && !this.#seen.signal.aborted) {
      // Once this process took the stop in there is nothing to wait for but the store.
      if (!isDue) await this.#clock.sleep(LOOK_MS, now.signal.aborted ? unwatched : now.signal).catch(() => undefined);
      isDue = false;
      if (unwatched.aborted) break;
      // What the store cannot say now, the next look or the next boundary will.
      if (await this.#isAsked().catch(() => false)) this.#seen.abort(SEEN);
    }
    for (const off of deaf) off();
  }
}
