import type { Clock } from '@kit-run/kit/plugin';

/** What `within` gives when the time is up first. */
export const LATE: unique symbol = Symbol('late');

/** Waits for a promise, but no longer than `ms`; the promise goes on. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  const over = new AbortController();
  const late = clock.sleep(ms, over.signal).then(
    (): typeof LATE => LATE,
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}
