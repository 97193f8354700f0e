import type { Clock } from '../../src/domain/ports/system.js';
import { FakeClock } from './fake-clock.js';

/** A machine whose wall clock somebody sets: what is counted goes on, as do its timers. */
export class SettableClock implements Clock {
  readonly #counted: FakeClock;
  #offMs = 0;

  constructor(startMs?: number) {
    this.#counted = new FakeClock(startMs);
  }

  now(): number {
    return this.#counted.now() + this.#offMs;
  }

  elapsed(): number {
    return this.#counted.now();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#counted.sleep(ms, signal);
  }

  get sleeping(): number {
    return this.#counted.sleeping;
  }

  advance(ms: number): Promise<void> {
    return this.#counted.advance(ms);
  }

  /** Negative: back. */
  set(byMs: number): void {
    this.#offMs += byMs;
  }
}
