import type { DraftCall, DraftEnd } from './drafts.js';
import { runExecutorAgent } from './executor-agent.js';
import { runModelAgent } from './model-agent.js';
import type { RunServices } from './services.js';

/**
 * The order of things around one draft, the same for every agent wherever it runs (execution.md 1.3). A funnel wraps the whole of it.
 */
export function runDraft(services: RunServices, call: DraftCall): Promise<DraftEnd> {
  return draftOf(services, call);
}

function draftOf(services: RunServices, call: DraftCall): Promise<DraftEnd> {
  return call.activation.node.executor.kind === 'model' ? runModelAgent(services, call) : runExecutorAgent(services, call);
}
