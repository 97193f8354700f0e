import type { Clock } from '../domain/ports/system.js';

/**
 * Rejects with `onTimeout()` when `work` takes longer than `ms`; the timer does not outlive the
 * work.
 */
export async function withTimeLimit<T>(clock: Clock, ms: number, work: Promise<T>, onTimeout: () => Error): Promise<T> {
  const done = new AbortController();
  const timer = clock.sleep(ms, done.signal).then(
    () => {
      throw onTimeout();
    },
    () => new Promise<never>(() => {}), // aborted: the work has settled
  );
  try {
    return await Promise.race([work, timer]);
  } finally {
    done.abort();
  }
}
