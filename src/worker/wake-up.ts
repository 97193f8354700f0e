import type { JobStore } from '../domain/ports/stores.js';
import { type Clock, onwardTime } from '../domain/ports/system.js';

export interface WakeUpDeps {
  readonly jobs: Pick<JobStore, 'waitForWork'>;
  readonly clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>;
  readonly pollMs: number;
  /**
   * Commits that may have made work make one look in this time, the first at once: many submits
   * make few looks.
   */
  readonly settleMs: number;
  readonly signal: AbortSignal;
}

/**
 * Lets a loop sleep until it is called, or the store may hold new work, or it is time to look
 * anyway. A call while it is awake is kept.
 */
export class WakeUp {
  readonly #deps: WakeUpDeps;
  #called = Promise.withResolvers<void>();
  /**
   * One wait for the store at a time: its signal stands for this follower. One that is over is kept
   * until a look follows it.
   */
  #change: Promise<void> | null = null;
  readonly #time: () => number;
  #sawChangeAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: WakeUpDeps) {
    this.#deps = deps;
    this.#time = onwardTime(deps.clock);
    deps.signal.addEventListener('abort', () => this.now(), { once: true });
  }

  now(): void {
    this.#called.resolve();
  }

  /** `watchesStore`: false where nothing could be claimed anyway. */
  async next(options: { readonly watchesStore: boolean }): Promise<void> {
    const called = this.#called.promise;
    if (options.watchesStore) this.#change ??= this.#settled();
    const change = options.watchesStore ? this.#change?.then(() => true) : undefined;
    let hasChanged = true;
    try {
      hasChanged = await Promise.race([called.then(() => false), change ?? this.#pause(this.#deps.pollMs, called)]);
    } finally {
      if (hasChanged) this.#change = null;
    }
    this.#called = Promise.withResolvers<void>();
    if (this.#deps.signal.aborted) this.now();
  }

  async #settled(): Promise<void> {
    const { jobs, clock, pollMs, settleMs, signal } = this.#deps;
    await jobs.waitForWork(pollMs, signal);
    const restMs = settleMs - (this.#time() - this.#sawChangeAtMs);
    if (restMs > 0) await clock.sleep(restMs, signal).catch(() => undefined);
    this.#sawChangeAtMs = this.#time();
  }

  async #pause(ms: number, called: Promise<void>): Promise<false> {
    const over = new AbortController();
    await Promise.race([called, this.#deps.clock.sleep(ms, over.signal).catch(() => undefined)]);
    over.abort('over');
    return false;
  }
}
