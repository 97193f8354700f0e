import type { RunServices } from './services.js';

/**
 * Waits between two attempts; ends early with the run, and when a person stops it. Never rejects.
 */
export async function pauseFor(
  { stops, signal, clock, pause }: Pick<RunServices, 'stops' | 'signal' | 'clock' | 'pause'>,
  ms: number,
): Promise<void> {
  const unwatch = stops?.watch();
  const either = stops === undefined ? signal : AbortSignal.any([signal, stops.signal]);
  try {
    await (pause ?? clock.sleep.bind(clock))(ms, either);
  } catch {
    // What ended it is looked at by the caller.
  } finally {
    unwatch?.();
  }
}
