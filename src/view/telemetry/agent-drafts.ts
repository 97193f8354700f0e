import type { SpanUsage } from '../../domain/ports/run-trace.js';
import { RUN_SPAN } from '../../domain/trace.js';
import { own } from '../../lib/own.js';
import type { AgentCall, AgentView, RunView } from '../run-view.js';
import { costOf, NO_USAGE, type UsageView } from '../usage-view.js';
import type { SpanDraft } from './draft.js';
import { type EventOf, msOf, type Segment } from './segment.js';

/** Where the spans of agents and calls stand: by the keys of their steps. */
export interface Places {
  /** Number of an event -> path of its step's span. */
  readonly paths: ReadonlyMap<number, string>;
  /** Key of a step -> the path of what stands nearest above it. */
  readonly above: (key: string) => string;
}

/** Agents and everything that they called; what of them had not ended when the run did ends with it. */
export function agentDrafts(segment: Segment, { view, places }: { readonly view: RunView; readonly places: Places }): readonly SpanDraft[] {
  const agents = view.order.flatMap((key) => own(view.agents, key) ?? []);
  const completed = new Map(
    segment.events
      .filter((event): event is EventOf<'agent.completed'> => event.type === 'agent.completed')
      .map(({ payload, seq }) => [payload.activation, seq]),
  );
  const keys = new Map(segment.events.map(({ seq, stepKey }) => [seq, stepKey]));
  const cut = endOf(segment);
  return agents.flatMap((agent): readonly SpanDraft[] => [
    agentDraft(agent, { view, completedSeq: completed.get(agent.activation) ?? null, cut }),
    ...agent.trail.map((call) => callDraft(call, { agent, places, key: keys.get(call.seq) ?? agent.activation })),
  ]);
}

/** The run ended; what is open then never ends by itself. */
export interface Cut {
  readonly endMs: number;
  readonly endedSeq: number;
  readonly error: string;
}

/** A run that was stopped may go on, and closes what is open all the same: nobody knows whether it will. */
export function endOf({ last }: Segment): Cut | null {
  if (last.type !== 'run.ended') return null;
  return { endMs: msOf(last), endedSeq: last.seq, error: last.payload.reason ?? last.payload.status };
}

function agentDraft(agent: AgentView, of: { readonly view: RunView; readonly completedSeq: number | null; readonly cut: Cut | null }): SpanDraft {
  const { activation, agentId, role, executor, status, parent, endedAt } = agent;
  const { view, completedSeq, cut } = of;
  const isOver = endedAt !== null && completedSeq !== null;
  return {
    path: activation,
    parent: parent !== null && Object.hasOwn(view.agents, parent) ? parent : RUN_SPAN,
    startMs: Date.parse(agent.startedAt),
    endMs: isOver ? Date.parse(endedAt) : (cut?.endMs ?? null),
    endedSeq: isOver ? completedSeq : (cut?.endedSeq ?? null),
    error: isOver ? errorOf(status, agent.reason) : (cut?.error ?? null),
    of: { type: 'agent', agentId, activation, role, executor, status, usage: usageOf(agent.usage) },
  };
}

const errorOf = (status: string, reason: string | null): string | null => (status === 'ok' || status === 'seen' ? null : (reason ?? status));

function callDraft(call: AgentCall, of: { readonly agent: AgentView; readonly places: Places; readonly key: string }): SpanDraft {
  const { places, key, agent } = of;
  const step = places.paths.get(call.seq) ?? key;
  const isInside = call.kind === 'harness-tool';
  const endMs = Date.parse(call.endedAt);
  return {
    path: isInside ? `${step}#${call.seq}` : step,
    parent: isInside ? step : places.above(key),
    startMs: endMs - (call.durationMs ?? 0),
    endMs,
    endedSeq: call.seq,
    error: errorOf(call.status, call.reason),
    of: subjectOf(call, agent.agentId),
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

export const usageOf = (usage: UsageView): SpanUsage => ({
  inputTokens: usage.inputTokens,
  outputTokens: usage.outputTokens,
  cachedInputTokens: usage.cachedInputTokens,
  reasoningTokens: usage.reasoningTokens,
  costUsd: costOf(usage),
});
