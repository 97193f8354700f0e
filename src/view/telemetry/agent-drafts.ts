import type { SpanUsage } from '../../domain/ports/run-trace.js';
import { reportedEnd } from '../../domain/reported-end.js';
import { RUN_SPAN } from '../../domain/trace.js';
import { own } from '../../lib/own.js';
import type { AgentView, RunView } from '../run-view.js';
import { costOf, type UsageView } from '../usage-view.js';
import type { SpanDraft } from './draft.js';
import { msOf, type Segment } from './segment.js';

/** The run ended; what is open then never ends by itself. */
export interface Cut {
  readonly endMs: number;
  readonly endedSeq: number;
  readonly error: string;
}

/**
 * A run that was stopped may go on, and closes what is open all the same: nobody knows whether it
 * will.
 */
export function endOf({ last }: Pick<Segment, 'last'>): Cut | null {
  const end = reportedEnd(last);
  return end === null ? null : { endMs: msOf(last), endedSeq: last.seq, error: end.reason ?? end.status };
}

/**
 * Every agent of the run; what of them had not ended when the run did ends with it. `completed`: by
 * activation, the event of its end.
 */
export function agentDrafts(
  segment: Segment,
  { view, completed }: { readonly view: RunView; readonly completed: ReadonlyMap<string, number> },
) {
  const cut = endOf(segment);
  return view.order
    .flatMap((key) => own(view.agents, key) ?? [])
    .map((agent) => agentDraft(agent, { view, completedSeq: completed.get(agent.activation) ?? null, cut }));
}

/** What an agent hangs below: the one that called it, as far as the log knows it. */
export const parentOf = ({ parent }: Pick<AgentView, 'parent'>, view: RunView): string =>
  parent !== null && Object.hasOwn(view.agents, parent) ? parent : RUN_SPAN;

function agentDraft(
  agent: AgentView,
  of: { readonly view: RunView; readonly completedSeq: number | null; readonly cut: Cut | null },
): SpanDraft {
  const { activation, agentId, role, executor, status, endedAt } = agent;
  const { view, completedSeq, cut } = of;
  const isOver = endedAt !== null && completedSeq !== null;
  return {
    path: activation,
    parent: parentOf(agent, view),
    startMs: Date.parse(agent.startedAt),
    endMs: isOver ? Date.parse(endedAt) : (cut?.endMs ?? null),
    endedSeq: isOver ? completedSeq : (cut?.endedSeq ?? null),
    error: isOver ? errorOf(status, agent.reason) : (cut?.error ?? null),
    of: { type: 'agent', agentId, activation, role, executor, status, usage: usageOf(agent.usage) },
  };
}

export const errorOf = (status: string, reason: string | null): string | null =>
  status === 'ok' || status === 'seen' ? null : (reason ?? status);

export const usageOf = (usage: UsageView): SpanUsage => ({
  inputTokens: usage.inputTokens,
  outputTokens: usage.outputTokens,
  cachedInputTokens: usage.cachedInputTokens,
  reasoningTokens: usage.reasoningTokens,
  costUsd: costOf(usage),
});
