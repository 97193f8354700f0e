import type { Pacing } from '../pacing.js';

/** How often a follower looks for commits of other processes. */
const POLL_MS = 20;

export interface ChangeWatchDeps {
  /**
   * `PRAGMA data_version` of a connection that does not write: differs after any other connection's
   * commit.
   */
  readonly version: () => number;
  readonly pacing: Pacing;
}

/** Lets followers sleep until something was committed, by this process or another. */
export class ChangeWatch {
  readonly #deps: ChangeWatchDeps;
  /** What was last reported to each follower; the signal stands for the follower. */
  readonly #reported = new WeakMap<AbortSignal, number>();
  #nextCommit = Promise.withResolvers<void>();

  constructor(deps: ChangeWatchDeps) {
    this.#deps = deps;
  }

  /** A commit of this process: followers need not wait for their next look. */
  notify(): void {
    this.#nextCommit.resolve();
    this.#nextCommit = Promise.withResolvers<void>();
  }

  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const { version, pacing } = this.#deps;
    const reported = this.#reported.get(signal);
    const untilMs = pacing.nowMs() + timeoutMs;
    while (!signal.aborted) {
      const current = version();
      const remainingMs = untilMs - pacing.nowMs();
      if (current !== reported || remainingMs <= 0) {
        this.#reported.set(signal, current);
        return;
      }
      await this.#pause(Math.min(POLL_MS, remainingMs), signal);
    }
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const cut = (): void => over.abort();
    signal.addEventListener('abort', cut, { once: true });
    try {
      await Promise.race([this.#deps.pacing.sleep(ms, over.signal).catch(() => undefined), this.#nextCommit.promise]);
    } finally {
      signal.removeEventListener('abort', cut);
      over.abort('over');
    }
  }
}
