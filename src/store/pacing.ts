import { performance } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';

/**
 * How the store paces its own work in the event loop: when to flush, how long to leave the file to
 * others, when to give up. Not the domain's clock, which a test may hold still while the store
 * still has to move.
 */
export interface Pacing {
  /** Monotonic milliseconds. */
  nowMs(): number;
  /** Rejects when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  nextTurn(): Promise<void>;
  /** In [0, 1). */
  random(): number;
}

export const realPacing: Pacing = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal === undefined ? {} : { signal }),
  nextTurn: () => setImmediate(),
  random: () => Math.random(),
};
