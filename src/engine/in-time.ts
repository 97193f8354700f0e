import type { Clock } from '../domain/ports/system.js';
import { onAbort } from '../lib/on-abort.js';
import { LATER, settledSoon } from '../lib/settled-soon.js';
import { type ABORTED, raceAbort } from './race-abort.js';
import { afterLimit } from './second-hand.js';

/**
 * What `work` comes to within its time; ABORTED as soon as the limit is over (as exact as
 * `afterLimit`), or the run ends. Then the signal that `work` was given aborts, with `late()` or
 * the run's own reason: whoever ignores it does not hold the run, and fails for nobody. Work that
 * waits for nothing takes no timer and no listener, and nothing is left of any.
 */
export async function inTime<T>(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  limit: { readonly ms: number; readonly late: () => Error },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | typeof ABORTED> {
  const scope = new AbortController();
  if (signal.aborted) scope.abort(signal.reason);
  const asked = work(scope.signal);
  if (!signal.aborted) {
    const soon = await settledSoon(asked);
    if (soon !== LATER) return soon;
  }
  const unsubscribes = [
    onAbort(signal, () => scope.abort(signal.reason)),
    afterLimit(clock, limit.ms, () => scope.abort(limit.late())),
  ];
  try {
    return await raceAbort(asked, scope.signal);
  } finally {
    for (const unsubscribe of unsubscribes) unsubscribe();
  }
}
