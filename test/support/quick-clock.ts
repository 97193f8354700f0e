import type { Clock } from '../../src/domain/ports/system.js';
import { createClock } from '../../src/system/clock.js';

/** A clock whose time passes `factor` times as fast: what it says and what it waits agree. */
export function quickClock(factor: number): Clock {
  const clock = createClock();
  const startMs = clock.now();
  return {
    now: () => startMs + Math.round((clock.now() - startMs) * factor),
    sleep: (ms, signal) => clock.sleep(Math.ceil(ms / factor), signal),
  };
}
