import type { EventType, StoredEvent } from '../domain/events.js';
import { own } from '../lib/own.js';
import { addCompression } from './compression-view.js';
import { type AgentCall, type AgentView, type CallCounts, NO_CALLS, type RunView, type ToolCallView } from './run-view.js';
import { addUsage, NO_USAGE, type UsageReport } from './usage-view.js';

type EventOf<T extends EventType> = Extract<StoredEvent, { type: T }>;
type ToolEvent = EventOf<'skill.executed' | 'skill.gap' | 'tool.refused' | 'executor.tool_call'>;

const RECENT_CALLS = 5;

export function agentStarted(view: RunView, event: EventOf<'agent.started'>): RunView {
  const { activation, role, executor, parent_key: parent } = event.payload;
  const agentId = event.agentId ?? activation;
  const known = own(view.agents, activation);
  const agent: AgentView = {
    activation,
    agentId,
    parent,
    role,
    executor,
    status: 'running',
    reason: null,
    current: executor === 'model' ? { kind: 'thinking', label: '' } : { kind: 'harness', label: executor },
    startedSeq: known?.startedSeq ?? event.seq,
    startedAt: known?.startedAt ?? event.timestamp,
    endedAt: null,
    durationMs: null,
    usage: known?.usage ?? NO_USAGE,
    calls: known?.calls ?? NO_CALLS,
    recentCalls: known?.recentCalls ?? [],
    trail: known?.trail ?? [],
  };
  const started = {
    ...view,
    status: 'running' as const,
    agents: { ...view.agents, [activation]: agent },
    order: known === undefined ? [...view.order, activation] : view.order,
  };
  return parent === null ? started : change(started, parent, (caller) => working(caller, { kind: 'delegating', label: agentId }));
}

export function agentCompleted(view: RunView, event: EventOf<'agent.completed'>): RunView {
  const { activation, status, reason, duration_ms: durationMs } = event.payload;
  const ended = change(view, activation, (agent) => ({ ...agent, status, reason, current: null, endedAt: event.timestamp, durationMs }));
  const parent = own(view.agents, activation)?.parent ?? null;
  if (parent === null) return ended;
  const others = ended.order.some((key) => ended.agents[key]?.parent === parent && ended.agents[key]?.status === 'running');
  return others ? ended : change(ended, parent, (caller) => working(caller, { kind: 'thinking', label: '' }));
}

export function modelCalled(view: RunView, event: EventOf<'model.called'>): RunView {
  const { payload } = event;
  const used = isUnanswered(event) ? view : spend(view, event, { report: modelUsage(event), model: `${payload.provider}/${payload.model}` });
  const counted = count(used, event, { model: 1 });
  const next = payload.tool_calls > 0 ? ({ kind: 'tools', label: '' } as const) : ({ kind: 'thinking', label: '' } as const);
  return change(remember(counted, event), activationOf(view, event), (agent) => working(agent, next));
}

export function toolCall(view: RunView, event: ToolEvent): RunView {
  const call = toolCallOf(event);
  const counts = { tools: 1, failed: call.status === 'failed' ? 1 : 0, denied: call.status === 'denied' || call.status === 'refused' ? 1 : 0 };
  const kind = event.type === 'executor.tool_call' ? 'harness' : 'tools';
  const paid = toolUsage(event);
  const spent = paid === null ? view : spend(view, event, { report: paid.report, model: paid.server });
  const counted = remember(count(spent, event, counts), event);
  const seen =
    event.type === 'skill.executed' ? { ...counted, compression: addCompression(counted.compression, event.payload.compression) } : counted;
  return change(seen, activationOf(view, event), (agent) => ({
    ...working(agent, { kind, label: call.tool }),
    recentCalls: [...agent.recentCalls, call].slice(-RECENT_CALLS),
  }));
}

/** A call that takes long says how far it is; it counts once it has ended. */
export function toolProgress(view: RunView, event: EventOf<'tool.progress'>): RunView {
  const { tool, done, total } = event.payload;
  const label = `${tool} ${total === null ? done : `${done} of ${total}`}`;
  return change(view, activationOf(view, event), (agent) => working(agent, { kind: 'tools', label }));
}

export function executorStarted(view: RunView, event: EventOf<'executor.started'>): RunView {
  return change(view, activationOf(view, event), (agent) => working(agent, { kind: 'harness', label: event.payload.ref }));
}

export function executorResult(view: RunView, event: EventOf<'executor.result'>): RunView {
  const { payload } = event;
  const activation = activationOf(view, event);
  const used = spend(view, event, { report: executorUsage(event), model: `${payload.kind}:${payload.ref}` });
  const { exit_metadata: exit } = payload;
  const result = {
    activation,
    agentId: event.agentId,
    ref: payload.ref,
    status: payload.status,
    reason: payload.reason,
    exitCode: exit.returncode,
    signal: exit.signal,
    stderrTail: exit.stderr_tail,
    diffBytes: payload.diff_bytes,
    durationMs: payload.duration_ms,
  };
  return { ...remember(used, event), executors: [...used.executors, result] };
}

export function outputValidated(view: RunView, event: EventOf<'output.validated'>): RunView {
  if (event.payload.valid) return view;
  return change(view, activationOf(view, event), (agent) => working(agent, { kind: 'correcting', label: '' }));
}

/** The activation whose key is the longest beginning of the step's key, cut at a slash. */
export function activationOf(view: RunView, event: StoredEvent): string | null {
  let key = event.stepKey;
  while (key !== null) {
    if (Object.hasOwn(view.agents, key)) return key;
    const cut = key.lastIndexOf('/');
    key = cut < 0 ? null : key.slice(0, cut);
  }
  return null;
}

/** An agent that has ended stays at its end, whatever its late children report. */
const working = (agent: AgentView, current: AgentView['current']): AgentView => (agent.status === 'running' ? { ...agent, current } : agent);

function change(view: RunView, activation: string | null, update: (agent: AgentView) => AgentView): RunView {
  const agent = activation === null ? undefined : own(view.agents, activation);
  return agent === undefined ? view : { ...view, agents: { ...view.agents, [agent.activation]: update(agent) } };
}

/** Keeps a call in the trail of its activation, which its step key names: calls of agents side by side never mix. */
function remember(view: RunView, event: StoredEvent): RunView {
  const call = view.keeps === 'recent' ? null : callOf(event);
  return call === null ? view : change(view, activationOf(view, event), (agent) => ({ ...agent, trail: [...agent.trail, call] }));
}

function count(view: RunView, event: StoredEvent, counts: Partial<CallCounts>): RunView {
  const counted = { ...view, calls: addCounts(view.calls, counts) };
  return change(counted, activationOf(view, event), (agent) => ({ ...agent, calls: addCounts(agent.calls, counts) }));
}

function addCounts(sum: CallCounts, more: Partial<CallCounts>): CallCounts {
  return {
    model: sum.model + (more.model ?? 0),
    tools: sum.tools + (more.tools ?? 0),
    failed: sum.failed + (more.failed ?? 0),
    denied: sum.denied + (more.denied ?? 0),
  };
}

function spend(view: RunView, event: StoredEvent, spent: { readonly report: UsageReport; readonly model: string }): RunView {
  const agentId = event.agentId;
  const used = {
    ...view,
    usage: addUsage(view.usage, spent.report),
    usageByModel: { ...view.usageByModel, [spent.model]: addUsage(own(view.usageByModel, spent.model) ?? NO_USAGE, spent.report) },
    usageByAgent:
      agentId === null ? view.usageByAgent : { ...view.usageByAgent, [agentId]: addUsage(own(view.usageByAgent, agentId) ?? NO_USAGE, spent.report) },
  };
  return change(used, activationOf(view, event), (agent) => ({ ...agent, usage: addUsage(agent.usage, spent.report) }));
}

/** The call that an event tells of, whoever made it; null for an event that tells of none. */
export function callOf(event: StoredEvent): AgentCall | null {
  const at = { seq: event.seq, endedAt: event.timestamp };
  switch (event.type) {
    case 'model.called': {
      const { provider, model, status, reason, duration_ms: durationMs } = event.payload;
      const usage = isUnanswered(event) ? NO_USAGE : addUsage(NO_USAGE, modelUsage(event));
      return { ...at, kind: 'model', name: `${provider}/${model}`, status, reason, durationMs, usage };
    }
    case 'executor.result': {
      const { kind, ref, status, reason, duration_ms: durationMs } = event.payload;
      const usage = addUsage(NO_USAGE, executorUsage(event));
      return { ...at, kind: 'executor', name: `${kind}:${ref}`, status: status === 'success' ? 'ok' : 'failed', reason, durationMs, usage };
    }
    case 'skill.executed':
    case 'skill.gap':
    case 'tool.refused':
    case 'executor.tool_call': {
      const { tool: name, status, durationMs } = toolCallOf(event);
      const kind = event.type === 'executor.tool_call' ? 'harness-tool' : 'tool';
      const reason = 'reason' in event.payload ? event.payload.reason : null;
      const paid = toolUsage(event);
      return { ...at, kind, name, status, reason, durationMs, usage: paid === null ? null : addUsage(NO_USAGE, paid.report) };
    }
    default:
      return null;
  }
}

/** What a tool call came to. */
function toolCallOf(event: ToolEvent): ToolCallView {
  if (event.type === 'skill.executed') return { tool: event.payload.tool, status: event.payload.status, durationMs: event.payload.duration_ms };
  if (event.type === 'executor.tool_call') return { tool: event.payload.tool, status: harnessStatus(event.payload.status), durationMs: null };
  return { tool: event.payload.tool, status: 'refused', durationMs: null };
}

/** Harnesses say `ok`, `error` or nothing yet. */
const harnessStatus = (status: string): ToolCallView['status'] => (status === 'ok' ? 'ok' : status === 'error' ? 'failed' : 'seen');

/** A call that failed before anything was answered reports neither tokens nor a cost: there is nothing to be unknown. */
const isUnanswered = ({ payload }: EventOf<'model.called'>): boolean =>
  payload.status === 'failed' && payload.cost_usd === null && payload.input_tokens + payload.output_tokens === 0;

const modelUsage = ({ payload }: EventOf<'model.called'>): UsageReport => ({
  inputTokens: payload.input_tokens,
  outputTokens: payload.output_tokens,
  cachedInputTokens: payload.cached_input_tokens,
  reasoningTokens: payload.reasoning_tokens,
  costUsd: payload.cost_usd,
});

/** Only where a server says what the call cost, or another run was asked for; told under its name beside the models. */
function toolUsage(event: ToolEvent): { readonly report: UsageReport; readonly server: string } | null {
  if (event.type !== 'skill.executed' || event.payload.cost_usd === undefined) return null;
  const { cost_usd: costUsd, server, tool, input_tokens = 0, output_tokens = 0, cached_input_tokens = 0, reasoning_tokens = 0 } = event.payload;
  const report = {
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    cachedInputTokens: cached_input_tokens,
    reasoningTokens: reasoning_tokens,
    costUsd,
  };
  return { report, server: `tool:${server ?? tool}` };
}

const executorUsage = ({ payload }: EventOf<'executor.result'>): UsageReport => ({
  inputTokens: payload.input_tokens,
  outputTokens: payload.output_tokens,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  costUsd: payload.cost_usd,
});
