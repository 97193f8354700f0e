import type { RunView, RunWarning } from './run-view.js';

/** A gate that was passed without a person, because nobody could be asked. */
export const isUngated = ({ kind }: Pick<RunWarning, 'kind'>): boolean => kind === 'funnel.advisory_completed';

/**
 * How much of a run somebody should look at: failed calls, denied calls and agents, activations
 * that did not end well, and gates that nobody was asked about. Retries are no issue.
 */
export function issuesOf(view: RunView): number {
  const agents = Object.values(view.agents).filter(({ status }) => status === 'failed' || status === 'denied').length;
  return view.calls.failed + view.calls.denied + view.agentsDenied + agents + view.warnings.filter(isUngated).length;
}
