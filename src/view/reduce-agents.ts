import type { EventType, StoredEvent } from '../domain/events.js';
import { own } from '../lib/own.js';
import { addCompression } from './compression-view.js';
import { isPutDown, UNNAMED_CALL } from './executor-outcome.js';
import { saidOf } from './lines/failure-text.js';
import type { RunDraft } from './run-draft.js';
import {
  type AgentCall,
  type AgentView,
  type CallCounts,
  NO_CALLS,
  type RunView,
  type ToolCallView,
} from './run-view.js';
import { addUsage, memoryUsage, NO_USAGE, served, toolUsage, type UsageReport } from './usage-view.js';

type EventOf<T extends EventType> = Extract<StoredEvent, { type: T }>;
type ToolEvent = EventOf<'skill.executed' | 'skill.gap' | 'tool.refused' | 'executor.tool_call'>;

const RECENT_CALLS = 5;

export function agentStarted(draft: RunDraft, event: EventOf<'agent.started'>): void {
  const { activation, role, executor, parent_key: parent } = event.payload;
  const agentId = event.agentId ?? activation;
  const known = draft.agent(activation);
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
    outcome: known?.outcome ?? null,
    recentCalls: known?.recentCalls ?? [],
    trail: known?.trail ?? [],
    runningChildren: known?.runningChildren ?? 0,
  };
  draft.set({ status: 'running' });
  draft.put('agents', activation, agent);
  if (known === undefined) draft.part('order').push(activation);
  const more = known?.status === 'running' ? 0 : 1;
  draft.change(parent, (caller) => ({
    ...working(caller, { kind: 'delegating', label: agentId }),
    runningChildren: caller.runningChildren + more,
  }));
}

export function agentCompleted(draft: RunDraft, event: EventOf<'agent.completed'>): void {
  const { activation, status, reason, duration_ms: durationMs } = event.payload;
  const before = draft.agent(activation);
  draft.change(activation, (agent) => ({
    ...agent,
    status,
    reason,
    current: null,
    endedAt: event.timestamp,
    durationMs,
  }));
  const fewer = before?.status === 'running' ? 1 : 0;
  draft.change(before?.parent ?? null, (caller) => {
    const runningChildren = Math.max(0, caller.runningChildren - fewer);
    const left = { ...caller, runningChildren };
    return runningChildren > 0 ? left : working(left, { kind: 'thinking', label: '' });
  });
}

/** `rules` is not a language model: what it fills in is not a call of one. */
const isAsked = (provider: string): Partial<CallCounts> => (provider === 'rules' ? {} : { model: 1 });

export function modelCalled(draft: RunDraft, event: EventOf<'model.called'>): void {
  const { payload } = event;
  const current: AgentView['current'] = { kind: payload.tool_calls > 0 ? 'tools' : 'thinking', label: '' };
  const spent = isUnanswered(event) ? null : { report: modelUsage(event), model: served.name(payload) };
  called(draft, event, { spent, counts: isAsked(payload.provider), after: (agent) => working(agent, current) });
}

export function toolCall(draft: RunDraft, event: ToolEvent): void {
  const call = toolCallOf(event);
  const ends = event.type === 'executor.tool_call' && event.payload.ends === true;
  const counts = {
    tools: ends ? 0 : 1,
    failed: call.status === 'failed' ? 1 : 0,
    denied: call.status === 'denied' || call.status === 'refused' ? 1 : 0,
  };
  const kind = event.type === 'executor.tool_call' ? 'harness' : 'tools';
  const paid = toolUsage(event);
  if (event.type === 'skill.executed')
    draft.set({ compression: addCompression(draft.view.compression, event.payload.compression) });
  called(draft, event, {
    spent: paid === null ? null : { report: paid.report, model: paid.server },
    counts,
    after: (agent) => ({
      ...working(agent, { kind, label: call.tool }),
      recentCalls: [...(ends ? withoutOpen(agent.recentCalls, call.tool) : agent.recentCalls), call].slice(
        -RECENT_CALLS,
      ),
    }),
  });
}

/** The call that now ends was seen when it began. */
function withoutOpen(calls: readonly ToolCallView[], tool: string): readonly ToolCallView[] {
  const open = calls.findLastIndex((call) => call.tool === tool && call.status === 'seen');
  return calls.filter((_call, index) => index !== open);
}

/** A call that takes long says how far it is; it counts once it has ended. */
export function toolProgress(draft: RunDraft, event: EventOf<'tool.progress'>): void {
  const { tool, done, total } = event.payload;
  const label = `${tool} ${total === null ? done : `${done} of ${total}`}`;
  draft.change(activationOf(draft.view, event), (agent) => working(agent, { kind: 'tools', label }));
}

export function executorStarted(draft: RunDraft, event: EventOf<'executor.started'>): void {
  draft.change(activationOf(draft.view, event), (agent) =>
    working(agent, { kind: 'harness', label: event.payload.ref }),
  );
}

export function executorResult(draft: RunDraft, event: EventOf<'executor.result'>): void {
  const { payload } = event;
  const { exit_metadata: exit, outcome = null } = payload;
  called(draft, event, {
    spent: { report: executorUsage(event), model: `${payload.kind}:${payload.ref}` },
    counts: {},
    after: (agent) => ({ ...agent, outcome }),
  });
  draft.part('executors').push({
    activation: activationOf(draft.view, event),
    agentId: event.agentId,
    ref: payload.ref,
    status: payload.status,
    reason: payload.reason,
    exitCode: exit.returncode,
    signal: exit.signal,
    stderrTail: exit.stderr_tail,
    diffBytes: payload.diff_bytes,
    durationMs: payload.duration_ms,
    outcome,
  });
}

export function outputValidated(draft: RunDraft, event: EventOf<'output.validated'>): void {
  if (event.payload.valid) return;
  draft.change(activationOf(draft.view, event), (agent) => working(agent, { kind: 'correcting', label: '' }));
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
const working = (agent: AgentView, current: AgentView['current']): AgentView =>
  agent.status === 'running' ? { ...agent, current } : agent;

/** What a call, of whatever kind, adds to its run and to the activation that made it. */
interface Called {
  /** null: nothing was used, as far as is known. `model`: under which name it is summed. */
  readonly spent: { readonly report: UsageReport; readonly model: string } | null;
  readonly counts: Partial<CallCounts>;
  readonly after: (agent: AgentView) => AgentView;
}

/**
 * Adds a call to the sums of the run and to its activation, which its step key names: calls of
 * agents side by side never mix.
 */
function called(draft: RunDraft, event: StoredEvent, { spent, counts, after }: Called): void {
  const activation = activationOf(draft.view, event);
  const more = (sums: 'usageByAgent' | 'usageByModel', key: string, report: UsageReport): void =>
    draft.put(sums, key, addUsage(own(draft.view[sums], key) ?? NO_USAGE, report));
  if (spent !== null) {
    draft.set({ usage: addUsage(draft.view.usage, spent.report), ...memoryUsage(draft.view, event, spent.report) });
    more('usageByModel', spent.model, spent.report);
    if (event.agentId !== null) more('usageByAgent', event.agentId, spent.report);
  }
  draft.set({ calls: addCounts(draft.view.calls, counts) });
  const call = draft.view.keeps === 'recent' ? null : callOf(event);
  draft.change(activation, (agent) =>
    after({
      ...agent,
      usage: spent === null ? agent.usage : addUsage(agent.usage, spent.report),
      calls: addCounts(agent.calls, counts),
      trail: call === null ? agent.trail : draft.trailWith(agent, call),
    }),
  );
}

function addCounts(sum: CallCounts, more: Partial<CallCounts>): CallCounts {
  return {
    model: sum.model + (more.model ?? 0),
    tools: sum.tools + (more.tools ?? 0),
    failed: sum.failed + (more.failed ?? 0),
    denied: sum.denied + (more.denied ?? 0),
  };
}

/** The call that an event tells of, whoever made it; null for an event that tells of none. */
export function callOf(event: StoredEvent): AgentCall | null {
  const at = { seq: event.seq, endedAt: event.timestamp };
  switch (event.type) {
    case 'model.called': {
      const { status, duration_ms: durationMs, finish } = event.payload;
      const name = served.inPlace(event.payload);
      const reason = event.payload.reason ?? (finish === 'length' ? 'cut off at the output limit' : null);
      const usage = isUnanswered(event) ? NO_USAGE : addUsage(NO_USAGE, modelUsage(event));
      return { ...at, kind: 'model', name, status, reason, durationMs, usage };
    }
    case 'executor.result': {
      const { kind, ref, status, reason, duration_ms: durationMs, outcome } = event.payload;
      const usage = addUsage(NO_USAGE, executorUsage(event));
      return {
        ...at,
        kind: 'executor',
        name: `${kind}:${ref}`,
        status: status === 'success' || isPutDown(event.payload) ? 'ok' : 'failed',
        reason: isPutDown(event.payload) ? 'people are asked' : (reason ?? outcome?.text ?? null),
        durationMs,
        usage,
      };
    }
    case 'skill.executed':
    case 'skill.gap':
    case 'tool.refused':
    case 'executor.tool_call': {
      // Its end tells what came of it.
      if ('call_id' in event.payload && event.payload.status === '') return null;
      const { tool: name, status, durationMs } = toolCallOf(event);
      const kind = event.type === 'executor.tool_call' ? 'harness-tool' : 'tool';
      const reason = 'reason' in event.payload ? event.payload.reason : null;
      const paid = toolUsage(event);
      const said = event.type === 'skill.executed' && status === 'failed' ? saidOf(event.payload.outputs) : '';
      return {
        ...at,
        kind,
        name: name === '' ? UNNAMED_CALL : name,
        status,
        reason,
        ...(said === '' ? {} : { said }),
        durationMs,
        usage: paid === null ? null : addUsage(NO_USAGE, paid.report),
      };
    }
    default:
      return null;
  }
}

/** What a tool call came to. */
function toolCallOf(event: ToolEvent): ToolCallView {
  if (event.type === 'skill.executed')
    return { tool: event.payload.tool, status: event.payload.status, durationMs: event.payload.duration_ms };
  if (event.type === 'executor.tool_call')
    return { tool: event.payload.tool, status: harnessStatus(event.payload.status), durationMs: null };
  return { tool: event.payload.tool, status: 'refused', durationMs: null };
}

/** Harnesses say `ok`, `error` or nothing yet. */
const harnessStatus = (status: string): ToolCallView['status'] =>
  status === 'ok' ? 'ok' : status === 'error' ? 'failed' : 'seen';

/**
 * A call that failed before anything was answered reports neither tokens nor a cost: there is
 * nothing to be unknown.
 */
const isUnanswered = ({ payload }: EventOf<'model.called'>): boolean =>
  payload.status === 'failed' && payload.cost_usd === null && payload.input_tokens + payload.output_tokens === 0;

const modelUsage = ({ payload }: EventOf<'model.called'>): UsageReport => ({
  inputTokens: payload.input_tokens,
  outputTokens: payload.output_tokens,
  cachedInputTokens: payload.cached_input_tokens,
  reasoningTokens: payload.reasoning_tokens,
  costUsd: payload.cost_usd,
  ...{ estimated: payload.estimated, savedUsd: payload.saved_usd },
});

const executorUsage = ({ payload }: EventOf<'executor.result'>): UsageReport => ({
  inputTokens: payload.input_tokens,
  outputTokens: payload.output_tokens,
  cachedInputTokens: payload.cached_input_tokens ?? 0,
  reasoningTokens: payload.reasoning_tokens ?? 0,
  costUsd: payload.cost_usd,
});
