import { type Clock, CutOff, elapsedMs } from '../../domain/ports/system.js';
import { afterLimit } from '../second-hand.js';
import type { TaskSlots } from './task-slots.js';

export interface TaskDeps {
  readonly slots: TaskSlots;
  readonly clock: Pick<Clock, 'now' | 'elapsed' | 'sleep'>;
  /** Ends the scope around the task. */
  readonly signal: AbortSignal;
  /** Working time, over all of its stretches; null = no bound. */
  readonly timeoutMs: number | null;
}

/**
 * One activation at work: it holds a place of its run and its time runs, but for the stretches in
 * which it waits for others. Time that is used up before a process dies is not counted by the one
 * that takes over.
 */
export class Task {
  readonly #deps: TaskDeps;
  readonly #late = new AbortController();
  #usedMs = 0;
  #waits = 0;
  #stretch: { readonly startedAt: number; readonly over: () => void } | null = null;

  constructor(deps: TaskDeps) {
    this.#deps = deps;
  }

  /** Aborts when the working time is used up. */
  get late(): AbortSignal {
    return this.#late.signal;
  }

  /** Waits for a place. Throws Unfinished when the scope ends first. */
  async begin(): Promise<void> {
    const { slots, clock, signal, timeoutMs } = this.#deps;
    await slots.take(signal);
    const cutOff = () => this.#late.abort(new CutOff('the working time is used up'));
    const over =
      timeoutMs === null ? () => undefined : afterLimit(clock, Math.max(0, timeoutMs - this.#usedMs), cutOff);
    this.#stretch = { startedAt: elapsedMs(clock), over };
  }

  end(): void {
    if (this.#stretch === null) return;
    this.#usedMs += elapsedMs(this.#deps.clock) - this.#stretch.startedAt;
    this.#stretch.over();
    this.#stretch = null;
    this.#deps.slots.give();
  }

  /**
   * Gives its place back and uses no time while it waits for others. What comes to nothing there is
   * told at once: there is no more work to do.
   */
  async releaseWhile<T>(wait: () => Promise<T>): Promise<T> {
    this.#waits += 1;
    this.end();
    let value: T;
    try {
      value = await wait();
    } catch (error) {
      this.#waits -= 1;
      throw error;
    }
    this.#waits -= 1;
    if (this.#waits === 0) await this.begin();
    return value;
  }
}
