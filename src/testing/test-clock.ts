import type { Clock } from '../domain/ports/system.js';

interface Sleeper {
  readonly dueMs: number;
  readonly order: number;
  readonly wake: () => void;
}

/** A clock that stands still until a test moves it. */
export class TestClock implements Clock {
  #nowMs: number;
  #order = 0;
  readonly #sleepers = new Set<Sleeper>();

  constructor(startMs: number = Date.UTC(2026, 0, 2, 3, 4, 5)) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  /** How many sleeps are under way. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        dueMs: this.#nowMs + Math.max(0, ms),
        order: this.#order++,
        wake: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#sleepers.add(sleeper);
    });
  }

  /**
   * Moves time on and wakes sleepers in the order they are due; what a woken one starts may fall
   * due in the same advance.
   */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settled();
    for (let next = this.#nextDue(untilMs); next !== undefined; next = this.#nextDue(untilMs)) {
      this.#sleepers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.wake();
      await settled();
    }
    this.#nowMs = untilMs;
    await settled();
  }

  #nextDue(untilMs: number): Sleeper | undefined {
    return [...this.#sleepers]
      .filter((s) => s.dueMs <= untilMs)
      .sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
  }
}

/** Lets everything run that waits for no timer. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
