import type { Clock } from '../domain/ports/system.js';

/** An abort without a reason would make an error with a stack, for nobody. */
const CALLED_OFF = 'called off';

/**
 * Calls once when `ms` have gone by, unless what is returned is called before. `callback` never
 * throws.
 * Each run waits for two such times, and is nearly always over before either.
 */
export function afterMs(clock: Clock, ms: number, callback: () => void): () => void {
  if (clock.later !== undefined) return clock.later(ms, callback);
  const off = new AbortController();
  clock.sleep(ms, off.signal).then(callback, () => undefined);
  return () => off.abort(CALLED_OFF);
}

/**
 * `timeout_seconds` counts execution alone: what earlier claims used is on the row
 * (docs/design/journal.md#job-clock). The timer ends when what is returned is called; null = none.
 */
export function startTimer(
  of: { readonly clock: Clock; readonly timeoutMs: number | null; readonly executedMs: () => number },
  onOver: () => void,
): () => void {
  if (of.timeoutMs === null) return () => undefined;
  return afterMs(of.clock, Math.max(0, of.timeoutMs - of.executedMs()), onOver);
}
