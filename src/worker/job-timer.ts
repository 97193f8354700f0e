import type { Clock } from '../domain/ports/system.js';

/**
 * `timeout_seconds` counts execution alone: what earlier claims used is on the row
 * (docs/design/journal.md#job-clock). The timer ends when what is returned aborts; null = none.
 */
export function startTimer(
  of: { readonly clock: Clock; readonly timeoutMs: number | null; readonly executedMs: () => number },
  onOver: () => void,
): AbortController {
  const cancel = new AbortController();
  if (of.timeoutMs !== null)
    of.clock.sleep(Math.max(0, of.timeoutMs - of.executedMs()), cancel.signal).then(onOver, () => undefined);
  return cancel;
}
