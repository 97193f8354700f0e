import type { DraftCall, DraftEnd } from './drafts.js';
import { runExecutorAgent } from './executor-agent.js';
import { recall, remembers } from './memory/recall.js';
import { runModelAgent } from './model-agent.js';
import type { RunServices } from './services.js';

/**
 * The order of things around one draft, the same for every agent wherever it runs
 * (docs/design/execution.md#agent): the decisions before it, what is remembered, the draft of the
 * executor, the decisions after it with its revisions. A funnel wraps the whole of it.
 */
export function runDraft(services: RunServices, call: DraftCall): Promise<DraftEnd> {
  if (services.snapshot.decisions !== undefined) return betweenDecisions(services, call);
  return remembers(services)
    ? recalling(services, call).then((recalled) => executeDraft(services, recalled))
    : executeDraft(services, call);
}

/** A run without bindings never loads what asks them. */
async function betweenDecisions(services: RunServices, call: DraftCall): Promise<DraftEnd> {
  const [{ beforeInput }, { afterOutput }] = await Promise.all([
    import('./bindings/before-input.js'),
    import('./bindings/after-output.js'),
  ]);
  const refused = await beforeInput(services, call);
  return refused ?? afterOutput(services, await recalling(services, call), (again) => executeDraft(services, again));
}

/** A conversation that goes on holds what was remembered when it began. */
async function recalling(services: RunServices, call: DraftCall): Promise<DraftCall> {
  if (call.revise !== undefined) return call;
  const recalled = await recall(services, call);
  return recalled === '' ? call : { ...call, recalled };
}

function executeDraft(services: RunServices, call: DraftCall): Promise<DraftEnd> {
  return call.activation.node.executor.kind === 'model'
    ? runModelAgent(services, call)
    : runExecutorAgent(services, call);
}
