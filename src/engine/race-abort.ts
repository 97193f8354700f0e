import { LATER, settledSoon } from '../lib/settled-soon.js';

/** What `raceAbort` gives when the signal came first. */
export const ABORTED = Symbol('aborted');

/**
 * Whoever ignores the signal must not hold the run: ABORTED as soon as it aborts. Leaves no
 * listener behind.
 */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | typeof ABORTED> {
  if (!signal.aborted) {
    const soon = await settledSoon(promise);
    if (soon !== LATER) return soon;
  }
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(ABORTED);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    promise.then(
      (value) => {
        signal.removeEventListener('abort', onAbort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener('abort', onAbort);
        reject(error);
      },
    );
  });
}
