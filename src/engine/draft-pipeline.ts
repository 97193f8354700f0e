import type { DraftCall, DraftEnd } from './drafts.js';
import { runExecutorAgent } from './executor-agent.js';
import { runModelAgent } from './model-agent.js';
import type { RunServices } from './services.js';

/**
 * The order of things around one draft, the same for every agent wherever it runs (execution.md 1.3): the decisions before it, the
 * draft of the executor, the decisions after it with its revisions. A funnel wraps the whole of it.
 */
export async function runDraft(services: RunServices, call: DraftCall): Promise<DraftEnd> {
  // A run without bindings never loads what asks them.
  if (services.snapshot.decisions === undefined) return executeDraft(services, call);
  const [{ beforeInput }, { afterOutput }] = await Promise.all([import('./bindings/before-input.js'), import('./bindings/after-output.js')]);
  const refused = await beforeInput(services, call);
  return refused ?? afterOutput(services, call, (again) => executeDraft(services, again));
}

function executeDraft(services: RunServices, call: DraftCall): Promise<DraftEnd> {
  return call.activation.node.executor.kind === 'model' ? runModelAgent(services, call) : runExecutorAgent(services, call);
}
