import { own } from '../lib/own.js';
import type { AgentCall, AgentView, RunView } from './run-view.js';
import { costOf, type UsageView } from './usage-view.js';

/** A stretch of a run and what happened within it, as tracing tools draw it. */
export interface Span {
  /**
   * `topology.run`, `agent.step.<id>`, `model.call.<name>`, `tool.call.<name>` or
   * `executor.run.<name>`.
   */
  readonly name: string;
  readonly startMs: number;
  /** Null: it has not ended. */
  readonly endMs: number | null;
  readonly attributes: Readonly<Record<string, string | number | null>>;
  /** Null: nothing went wrong that is known. */
  readonly error: string | null;
  readonly children: readonly Span[];
}

/** The span tree of a run whose view was folded from `EMPTY_TRACE`; null before its first event. */
export function spansOf(view: RunView): Span | null {
  if (view.startedAt === null) return null;
  const agents = view.order.flatMap((key) => own(view.agents, key) ?? []);
  const known = new Set(agents.map(({ activation }) => activation));
  // What is called by an activation that the log does not know hangs on the run: nothing is lost.
  const roots = agents.filter(({ parent }) => parent === null || !known.has(parent));
  return {
    name: 'topology.run',
    startMs: Date.parse(view.startedAt),
    endMs: view.endedAt === null ? null : Date.parse(view.endedAt),
    attributes: {
      run_id: view.jobId,
      topology: view.topology,
      version: view.version,
      status: view.status,
      ...tokens(view.usage),
    },
    error: view.error ?? (view.status === 'failed' ? view.reason : null),
    children: roots.map((agent) => agentSpan(agent, childrenByParent(agents))),
  };
}

type Children = ReadonlyMap<string, readonly AgentView[]>;

function childrenByParent(agents: readonly AgentView[]): Children {
  const found = new Map<string, AgentView[]>();
  for (const agent of agents)
    if (agent.parent !== null) found.set(agent.parent, [...(found.get(agent.parent) ?? []), agent]);
  return found;
}

function agentSpan(agent: AgentView, children: Children): Span {
  const calls = agent.trail.map(callSpan);
  const agents = (children.get(agent.activation) ?? []).map((child) => agentSpan(child, children));
  return {
    name: `agent.step.${agent.agentId}`,
    startMs: Date.parse(agent.startedAt),
    endMs: agent.endedAt === null ? null : Date.parse(agent.endedAt),
    attributes: {
      activation: agent.activation,
      role: agent.role,
      executor: agent.executor,
      status: agent.status,
      ...tokens(agent.usage),
    },
    error: agent.status === 'ok' || agent.status === 'running' ? null : (agent.reason ?? agent.status),
    children: [...calls, ...agents].sort((a, b) => a.startMs - b.startMs),
  };
}

const CALLS = {
  model: 'model.call',
  tool: 'tool.call',
  'harness-tool': 'tool.call',
  executor: 'executor.run',
} as const;

function callSpan(call: AgentCall): Span {
  const endMs = Date.parse(call.endedAt);
  return {
    name: `${CALLS[call.kind]}.${call.name}`,
    startMs: endMs - (call.durationMs ?? 0),
    endMs,
    attributes: { kind: call.kind, status: call.status, ...(call.usage === null ? {} : tokens(call.usage)) },
    error: call.status === 'ok' || call.status === 'seen' ? null : (call.reason ?? call.status),
    children: [],
  };
}

const tokens = (usage: UsageView): Span['attributes'] => ({
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  cost_usd: costOf(usage),
});
