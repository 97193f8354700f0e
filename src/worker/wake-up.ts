import type { EventLog } from '../domain/ports/event-log.js';
import type { Clock } from '../domain/ports/system.js';

export interface WakeUpDeps {
  readonly events: Pick<EventLog, 'waitForChange'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly pollMs: number;
  /** Changes in the store make one look in this time, the first at once: many commits of running jobs make few looks. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
}

/** Lets a loop sleep until it is called, or the store has changed, or it is time to look anyway. A call while it is awake is kept. */
export class WakeUp {
  readonly #deps: WakeUpDeps;
  #called = Promise.withResolvers<void>();
  /** One wait for the store at a time: its signal stands for this follower. */
  #change: Promise<void> | null = null;
  #sawChangeAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: WakeUpDeps) {
    this.#deps = deps;
    deps.signal.addEventListener('abort', () => this.now(), { once: true });
  }

  now(): void {
    this.#called.resolve();
  }

  /** `watchesStore`: false where nothing could be claimed anyway. */
  async next(options: { readonly watchesStore: boolean }): Promise<void> {
    const called = this.#called.promise;
    await Promise.race([called, options.watchesStore ? this.#changed(called) : this.#pause(this.#deps.pollMs, called)]);
    this.#called = Promise.withResolvers<void>();
    if (this.#deps.signal.aborted) this.now();
  }

  async #changed(called: Promise<void>): Promise<void> {
    const { events, clock, pollMs, settleMs, signal } = this.#deps;
    this.#change ??= events.waitForChange(pollMs, signal).finally(() => {
      this.#change = null;
    });
    await this.#change;
    const restMs = settleMs - (clock.now() - this.#sawChangeAtMs);
    if (restMs > 0) await this.#pause(restMs, called);
    this.#sawChangeAtMs = clock.now();
  }

  async #pause(ms: number, called: Promise<void>): Promise<void> {
    const over = new AbortController();
    await Promise.race([called, this.#deps.clock.sleep(ms, over.signal).catch(() => undefined)]);
    over.abort('over');
  }
}
