import { outsideTask } from './scopes.js';
import type { RunServices } from './services.js';
import { Unfinished } from './unfinished.js';

/**
 * Agent boundaries are the entry of every activation, inline children included, and the start of
 * every turn of an agent: what is in flight (a harness session, a tool call) finishes first, and
 * stays on the journal (docs/design/execution.md#stop-boundaries).
 */
export function stopAtBoundary(services: RunServices): Promise<void> {
  // An agent whose own time is used up is told so by its next step.
  const { signal } = outsideTask(services);
  return signal.aborted ? Promise.reject(new Unfinished('abort')) : services.stopRequested().then(goOnUnless);
}

function goOnUnless(isRequested: boolean): void {
  if (isRequested) throw new Unfinished('stop');
}
