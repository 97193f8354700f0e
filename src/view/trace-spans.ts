import { agentsByCaller } from './agent-tree.js';
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
  const children = agentsByCaller(view);
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
    children: (children.get(null) ?? []).map((agent) => agentSpan(agent, children)),
  };
}

function agentSpan(agent: AgentView, children: ReturnType<typeof agentsByCaller>): Span {
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
