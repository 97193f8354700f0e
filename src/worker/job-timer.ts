import type { Clock } from '../domain/ports/system.js';
import { afterMs } from '../engine/second-hand.js';

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
