import type { RunEvent } from '../domain/events.js';
import type { RunFigures } from '../domain/run-figures.js';
import { RunFold } from './run-fold.js';
import { EMPTY_RUN, type RunView } from './run-view.js';
import { issuesOf } from './warnings.js';

/** What a view of a run adds up to. */
export const figuresOf = (view: RunView): RunFigures => ({
  agents: view.order.length,
  modelCalls: view.calls.model,
  toolCalls: view.calls.tools,
  issues: issuesOf(view),
  usage: view.usage,
});

/** Counts a run while it is written: its events in order, before they have a place in the log. */
export function foldFigures(): { readonly add: (event: RunEvent) => void; readonly figures: () => RunFigures } {
  const fold = new RunFold(EMPTY_RUN);
  let seq = 0;
  return {
    add: (event) => {
      seq += 1;
      fold.add({ ...event, jobId: '', correlationId: null, labels: {}, seq, pos: 0, prevHash: '', hash: '' });
    },
    figures: () => figuresOf(fold.view),
  };
}
