import type { RunView } from './run-view.js';

/**
 * How much of a run somebody should look at: failed calls, denied calls and agents, and activations
 * that did not end well. Retries are no issue.
 */
export function issuesOf(view: RunView): number {
  const agents = Object.values(view.agents).filter(({ status }) => status === 'failed' || status === 'denied').length;
  return view.calls.failed + view.calls.denied + view.agentsDenied + agents;
}
