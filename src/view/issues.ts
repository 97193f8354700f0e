import type { RunView, RunWarning } from './run-view.js';

/** Gates that were passed without a person, because nobody could be asked. */
export const ungated = (view: Pick<RunView, 'warnings'>): readonly RunWarning[] =>
  view.warnings.filter(({ kind }) => kind === 'funnel.advisory_completed');

/**
 * How much of a run somebody should look at: failed calls, denied calls and agents, activations
 * that did not end well, and gates that nobody was asked about. Retries are no issue.
 */
export function issuesOf(view: RunView): number {
  const agents = Object.values(view.agents).filter(({ status }) => status === 'failed' || status === 'denied').length;
  return view.calls.failed + view.calls.denied + view.agentsDenied + agents + ungated(view).length;
}
