import type { RunFigures } from '../domain/run-figures.js';
import { own } from '../lib/own.js';
import { toWireCompression } from './compression-view.js';
import type { OutcomeView } from './executor-outcome.js';
import type { AgentCall, AgentView, CallCounts, ExecutorResultView, GateView, RunView } from './run-view.js';
import type { WireRunFigures } from './schemas/job.js';
import type { WireRun } from './schemas/run.js';
import type { WireRunUsage } from './schemas/spent.js';
import { costOf, type UsageView } from './usage-view.js';

type WireActivation = WireRun['agents'][number];

interface Summed {
  readonly figures: RunFigures;
  readonly outage: string | null;
  readonly wallMs: number | null;
}

/**
 * A folded run as every door shows it: snake_case, activations in the order in which they began,
 * unknown cost as null.
 */
export function toWireRun(view: RunView): WireRun {
  return {
    run_id: view.jobId,
    topology: view.topology,
    version: view.version,
    submitted_by: view.submittedBy,
    status: view.status,
    reason: view.reason,
    error: view.error,
    stop_requested_by: view.stopRequestedBy,
    resumes: view.resumes,
    started_at: view.startedAt,
    ended_at: view.endedAt,
    last_seq: view.lastSeq,
    calls: toWireCalls(view.calls),
    compression: toWireCompression(view.compression),
    usage: toWireUsage(view.usage),
    usage_by_agent: mapValues(view.usageByAgent, toWireUsage),
    usage_by_model: mapValues(view.usageByModel, toWireUsage),
    agents: agentsOf(view).map(toWireAgent),
    executors: view.executors.map(toWireExecutor),
    attachments: view.attachments.map(({ name, mediaType, sizeBytes }) => ({
      name,
      media_type: mediaType,
      size_bytes: sizeBytes,
    })),
    gates: Object.values(view.gates).map(toWireGateView),
    waiting_on: [...view.waitingOn],
    outages: Object.entries(view.outages).map(([key, { agentId, reason, tries, until, remote }]) => ({
      key,
      agent_id: agentId,
      reason,
      tries,
      until,
      ...(remote === undefined ? {} : { agent: remote.agent, gate_url: remote.gateUrl }),
    })),
    ungated: [...view.ungated],
    warnings: view.warnings.map(({ seq, kind, agentId, text }) => ({ seq, kind, agent_id: agentId, text })),
  };
}

/**
 * Tokens and cost: `cost_usd` is null as soon as one part of it is unknown, `known_cost_usd` is
 * what is known.
 */
export function toWireUsage(usage: UsageView): WireRunUsage {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    reasoning_tokens: usage.reasoningTokens,
    cost_usd: costOf(usage),
    known_cost_usd: usage.knownCostUsd,
    unknown_costs: usage.unknownCosts,
    ...(usage.savedUsd === undefined ? {} : { saved_usd: usage.savedUsd }),
  };
}

/** A run in a list: what its events add up to. */
export const toWireFigures = ({ figures, outage, wallMs }: Summed): WireRunFigures => ({
  wall_ms: wallMs,
  agents: figures.agents,
  model_calls: figures.modelCalls,
  tool_calls: figures.toolCalls,
  issues: figures.issues,
  outage,
  usage: toWireUsage(figures.usage),
});

const agentsOf = (view: RunView): readonly AgentView[] => view.order.flatMap((key) => own(view.agents, key) ?? []);

const toWireCalls = ({ model, tools, failed, denied }: CallCounts): WireRun['calls'] => ({
  model,
  tools,
  failed,
  denied,
});

const toWireOutcome = (outcome: OutcomeView | null): WireActivation['outcome'] =>
  outcome === null ? null : { passed: outcome.passed, text: outcome.text };

function toWireAgent(agent: AgentView): WireActivation {
  return {
    activation: agent.activation,
    agent_id: agent.agentId,
    parent: agent.parent,
    role: agent.role,
    executor: agent.executor,
    status: agent.status,
    reason: agent.reason,
    started_at: agent.startedAt,
    ended_at: agent.endedAt,
    duration_ms: agent.durationMs,
    usage: toWireUsage(agent.usage),
    calls: toWireCalls(agent.calls),
    outcome: toWireOutcome(agent.outcome),
    trail: agent.trail.map(toWireCall),
  };
}

const toWireCall = (call: AgentCall): WireActivation['trail'][number] => ({
  seq: call.seq,
  kind: call.kind,
  name: call.name,
  status: call.status,
  reason: call.reason,
  ...(call.said === undefined ? {} : { message: call.said }),
  ended_at: call.endedAt,
  duration_ms: call.durationMs,
  usage: call.usage === null ? null : toWireUsage(call.usage),
});

const toWireExecutor = (result: ExecutorResultView): WireRun['executors'][number] => ({
  activation: result.activation,
  agent_id: result.agentId,
  ref: result.ref,
  status: result.status,
  reason: result.reason,
  exit_code: result.exitCode,
  signal: result.signal,
  stderr_tail: result.stderrTail,
  diff_bytes: result.diffBytes,
  duration_ms: result.durationMs,
  outcome: toWireOutcome(result.outcome),
});

const mapValues = <T, V>(record: Readonly<Record<string, T>>, value: (one: T) => V): Readonly<Record<string, V>> =>
  Object.fromEntries(Object.entries(record).map(([key, one]) => [key, value(one)]));

const toWireGateView = (gate: GateView): WireRun['gates'][number] => ({
  gate_id: gate.gateId,
  agent_id: gate.agentId,
  round: gate.round,
  status: gate.status,
  withdrawn: gate.withdrawn,
  artifact_ref: gate.artifactRef,
  escalated: gate.escalated,
  judge_score: gate.judgeScore,
  opened_at: gate.openedAt,
  expires_at: gate.expiresAt,
  decisions: gate.decisions.map(({ by, role, outcome, comment }) => ({ by, role, outcome, comment })),
});
