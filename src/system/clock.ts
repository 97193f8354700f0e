import type { Clock } from '../domain/ports/system.js';

/** Longest delay that a timer of Node holds; a longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The real clocks. */
export function createClock(): Clock {
  return { now: () => Date.now(), elapsed: () => Math.floor(performance.now()), sleep, later };
}

/** Thousands of these wait too: of most nothing is held but the timer. */
function later(ms: number, callback: () => void): () => void {
  if (ms > MAX_TIMER_MS) return muchLater(ms, callback);
  const timer = setTimeout(callback, Math.max(0, ms));
  return () => clearTimeout(timer);
}

function muchLater(ms: number, callback: () => void): () => void {
  let off = later(MAX_TIMER_MS, () => {
    off = later(ms - MAX_TIMER_MS, callback);
  });
  return () => off();
}

/** Thousands of these wait at a time, and hardly any of them for longer than a timer holds. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.reject(signal.reason);
  return ms > MAX_TIMER_MS ? sleepLong(ms, signal) : pause(ms, signal);
}

async function sleepLong(ms: number, signal: AbortSignal | undefined): Promise<void> {
  for (let left = ms; left > MAX_TIMER_MS; left -= MAX_TIMER_MS) await pause(MAX_TIMER_MS, signal);
  await pause(ms % MAX_TIMER_MS, signal);
}

/**
 * Unlike `timers/promises`, rejects with the signal's own reason and not with an AbortError around
 * it.
 */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.max(0, ms),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
