import type { Pacing } from '../pacing.js';

/** What stands behind notification: a commit whose notice was lost is seen after this. */
const POLL_MS = 500;

export interface ChangeWatchDeps {
  readonly pacing: Pacing;
  /** Position of the log's last event. */
  readonly logEnd: () => Promise<number>;
  /** Somebody waits: other processes' notices are wanted from now on. Does not throw. */
  readonly onWait: () => void;
}

/** Lets followers sleep until something was committed, by this process or another. */
export class ChangeWatch {
  readonly #deps: ChangeWatchDeps;
  /** What was last reported to each follower; the signal stands for the follower. */
  readonly #reported = new WeakMap<AbortSignal, number>();
  #version = 0;
  #seenEnd = -1;
  #polling: Promise<void> | null = null;
  #nextChange = Promise.withResolvers<void>();

  constructor(deps: ChangeWatchDeps) {
    this.#deps = deps;
  }

  /** Another number after each change. */
  get version(): number {
    return this.#version;
  }

  /** A commit of this process, or the notice of another one. */
  notify(): void {
    this.#version += 1;
    this.#nextChange.resolve();
    this.#nextChange = Promise.withResolvers<void>();
  }

  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const { pacing, onWait } = this.#deps;
    const untilMs = pacing.nowMs() + timeoutMs;
    onWait();
    while (!signal.aborted) {
      const current = this.#version;
      const remainingMs = untilMs - pacing.nowMs();
      if (current !== this.#reported.get(signal) || remainingMs <= 0) {
        this.#reported.set(signal, current);
        return;
      }
      if (!(await this.#pause(Math.min(POLL_MS, remainingMs), signal)) && remainingMs > POLL_MS) await this.#poll();
    }
  }

  /**
   * One look for all who wait. A server that does not answer is not a change; the next read says
   * what is wrong.
   */
  #poll(): Promise<void> {
    this.#polling ??= this.#deps
      .logEnd()
      .then(
        (end) => {
          // The first look counts as a change: nobody knows what came since those who wait have
          // read.
          if (end !== this.#seenEnd) this.notify();
          this.#seenEnd = end;
        },
        () => undefined,
      )
      .finally(() => {
        this.#polling = null;
      });
    return this.#polling;
  }

  /** True when a change ended it. */
  async #pause(ms: number, signal: AbortSignal): Promise<boolean> {
    const over = new AbortController();
    const cut = (): void => over.abort();
    signal.addEventListener('abort', cut, { once: true });
    try {
      const slept = this.#deps.pacing.sleep(ms, over.signal).then(
        () => false,
        () => false,
      );
      return await Promise.race([slept, this.#nextChange.promise.then(() => true)]);
    } finally {
      signal.removeEventListener('abort', cut);
      over.abort();
    }
  }
}
