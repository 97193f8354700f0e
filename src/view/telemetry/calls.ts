import type { StoredEvent } from '../../domain/events.js';
import { RUN_SPAN } from '../../domain/trace.js';
import { own } from '../../lib/own.js';
import { activationOf, callOf } from '../reduce-agents.js';
import type { AgentCall, RunView } from '../run-view.js';
import { NO_USAGE } from '../usage-view.js';
import { errorOf, usageOf } from './agent-drafts.js';
import type { EndedDraft, SpanDraft } from './draft.js';
import { agentAbove, toolAbove } from './places.js';
import type { SpanTree } from './tree.js';

/**
 * Calls as they end. What was called within a tool waits for the tool: only its own event says that
 * it hangs below it.
 */
export interface CallFold {
  /** `view`: with the event. `step`: path of a step's span. */
  add(event: StoredEvent, view: RunView, step: (key: string) => string): readonly EndedDraft[];
  /** What waits for tools that will not tell of themselves. */
  close(): readonly EndedDraft[];
}

export function createCallFold(tree: SpanTree): CallFold {
  /** By the key of the tool's step. */
  const waiting = new Map<string, readonly EndedDraft[]>();
  const take = (tool: string): readonly EndedDraft[] => {
    const drafts = waiting.get(tool) ?? [];
    waiting.delete(tool);
    return drafts;
  };
  const settle = (draft: EndedDraft): EndedDraft => tree.settle(draft, draft.parent);
  return {
    add: (event, view, step) => {
      // The call within which these were made was lost, and is made again.
      if (event.type === 'step.repeated') return take(event.payload.key).map(settle);
      const call = callOf(event);
      const activation = call === null ? null : activationOf(view, event);
      if (call === null || activation === null) return [];
      const key = event.stepKey ?? activation;
      const within = agentAbove(view, key) ?? RUN_SPAN;
      const draft = draftOf(call, {
        agentId: own(view.agents, activation)?.agentId ?? activation,
        step: step(key),
        within,
      });
      const tool = call.kind === 'model' ? toolAbove(view, key) : null;
      if (tool !== null) {
        waiting.set(tool, [...(waiting.get(tool) ?? []), draft]);
        return [];
      }
      if (call.kind !== 'tool') return [tree.settle(draft, within)];
      const inner = take(key).map((one) => tree.settle(fitInto(one, draft), within));
      return [...inner, tree.settle(draft, within)];
    },
    close: () => [...waiting.keys()].flatMap(take).map(settle),
  };
}

/** Nothing begins before the tool within which it was called. */
const fitInto = (draft: EndedDraft, tool: EndedDraft): EndedDraft => ({
  ...draft,
  parent: tool.path,
  startMs: Math.max(draft.startMs, tool.startMs),
});

function draftOf(
  call: AgentCall,
  of: { readonly agentId: string; readonly step: string; readonly within: string },
): EndedDraft {
  const isInside = call.kind === 'harness-tool';
  const endMs = Date.parse(call.endedAt);
  return {
    path: isInside ? `${of.step}#${call.seq}` : of.step,
    parent: isInside ? of.step : of.within,
    startMs: endMs - (call.durationMs ?? 0),
    endMs,
    endedSeq: call.seq,
    error: errorOf(call.status, call.reason),
    of: subjectOf(call, of.agentId),
  };
}

function subjectOf(call: AgentCall, agentId: string): SpanDraft['of'] {
  const { kind, name, status } = call;
  const usage = usageOf(call.usage ?? NO_USAGE);
  switch (kind) {
    case 'model': {
      // `provider/model`: an id of a provider has no slash, a name of a model may.
      const slash = name.indexOf('/');
      return { type: 'model', agentId, provider: name.slice(0, slash), model: name.slice(slash + 1), status, usage };
    }
    case 'executor':
      return { type: 'session', agentId, executor: name, status, usage };
    case 'tool':
    case 'harness-tool':
      return { type: 'tool', agentId, tool: name, status, isInside: kind === 'harness-tool' };
  }
}
