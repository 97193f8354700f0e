import type { JobStatus } from '../domain/job.js';
import type { ExecutorResult } from '../domain/ports/executor.js';
import { type CompressionView, NO_COMPRESSION } from './compression-view.js';
import type { OutcomeView } from './executor-outcome.js';
import type { OutageView } from './outage-view.js';
import { NO_USAGE, type UsageView } from './usage-view.js';

/**
 * What one activation of an agent is doing or has done; keyed by its activation key
 * (docs/design/journal.md#keys).
 */
export interface AgentView {
  readonly activation: string;
  readonly agentId: string;
  /** Activation that called this one; null for the root. */
  readonly parent: string | null;
  readonly role: string;
  /** `model`, `harness:<adapter>` or a plugin's executor. */
  readonly executor: string;
  readonly status: 'running' | 'ok' | 'failed' | 'denied';
  readonly reason: string | null;
  /** What it is at, as far as the events tell; null when it has ended. */
  readonly current: Current | null;
  /** The event with which it began. */
  readonly startedSeq: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Recorded by the engine; null while it runs. */
  readonly durationMs: number | null;
  readonly usage: UsageView;
  readonly calls: CallCounts;
  /** What its executor told of the work; null = nothing. */
  readonly outcome: OutcomeView | null;
  /** The last few tool calls, oldest first. */
  readonly recentCalls: readonly ToolCallView[];
  /** Every call of this activation, in the order of the log; empty unless the view `keeps` all. */
  readonly trail: readonly AgentCall[];
  /** Activations that this one called and that have not ended. */
  readonly runningChildren: number;
}

/**
 * One call that an activation made, as the log tells it: a model, a tool, a tool inside a harness,
 * or a whole execution.
 */
export interface AgentCall {
  /** Its event. */
  readonly seq: number;
  /** `harness-tool`: a harness told of it, kit did not make it. `executor`: it runs no model. */
  readonly kind: 'model' | 'tool' | 'harness-tool' | 'executor';
  /** `provider/model`, the name of the tool, or `<kind>:<ref>` of an executor. */
  readonly name: string;
  readonly status: ToolCallView['status'];
  readonly reason: string | null;
  /** What was said of a failure, on one line and bounded; absent: nothing. */
  readonly said?: string;
  /** When it was recorded. */
  readonly endedAt: string;
  /** null: nobody measured it. */
  readonly durationMs: number | null;
  /** null: a call of this kind uses no tokens of its own. */
  readonly usage: UsageView | null;
}

/** What a running activation is at. */
export interface Current {
  readonly kind: 'thinking' | 'tools' | 'delegating' | 'harness' | 'correcting';
  /** Tool, child or adapter; '' when there is no name. */
  readonly label: string;
}

/** One tool call of an agent. `seen`: a harness told of it and kit did not make it. */
export interface ToolCallView {
  readonly tool: string;
  readonly status: 'ok' | 'failed' | 'denied' | 'refused' | 'seen';
  readonly durationMs: number | null;
}

/** How many calls there were; `denied` counts what the policy or kit itself refused. */
export interface CallCounts {
  readonly model: number;
  readonly tools: number;
  readonly failed: number;
  readonly denied: number;
}

export const WARNING_KINDS = [
  'step.repeated',
  'step.in_doubt',
  'funnel.advisory_completed',
  'skill.gap',
  'policy.denied',
  'trust.denied',
  'trust.degraded',
  'intent.drift',
  'tool.refused',
  'limit.breached',
  'output.validation_failed',
  'executor.lost',
  'executor.network',
] as const;

/** What somebody should look at, although the run went on. */
export interface RunWarning {
  readonly seq: number;
  readonly kind: (typeof WARNING_KINDS)[number];
  readonly agentId: string | null;
  /** One sentence in lower case without a full stop. */
  readonly text: string;
}

/** How one execution outside a model ended, as its event tells. */
export interface ExecutorResultView extends Pick<ExecutorResult, 'reason' | 'exitCode' | 'signal' | 'stderrTail'> {
  readonly activation: string | null;
  readonly agentId: string | null;
  readonly ref: string;
  readonly status: string;
  readonly diffBytes: number;
  readonly durationMs: number;
  /** What came of its work; null = it told of nothing. */
  readonly outcome: OutcomeView | null;
}

/** An attachment that the run was submitted with. */
export interface AttachmentView {
  readonly name: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
}

/** One gate, in its newest round, as the events tell; who is outstanding stands in the store. */
export interface GateView {
  readonly gateId: string;
  readonly agentId: string | null;
  readonly round: number;
  readonly status: 'pending' | 'approved' | 'rejected' | 'changes-requested';
  /** The run ended for good before anybody decided: nobody can any more. */
  readonly withdrawn: boolean;
  readonly artifactRef: string;
  /** The checks before people did not pass, and retries ran out. */
  readonly escalated: boolean;
  readonly judgeScore: number | null;
  readonly expiresAt: string | null;
  readonly openedAt: string;
  /** Decisions that were recorded in this round, oldest first. */
  readonly decisions: readonly {
    readonly by: string;
    readonly role: string | null;
    readonly outcome: string;
    readonly comment: string;
  }[];
}

/**
 * Everything that a view of a run shows: a left fold of `reduceRun` over its events. Plain JSON.
 */
export interface RunView {
  /**
   * `recent`: a live view, whose size does not grow with the calls of an agent. `all`: a trace,
   * which keeps the `trail` of each. A fold keeps what its first view says (`EMPTY_RUN` or
   * `EMPTY_TRACE`).
   */
  readonly keeps: 'recent' | 'all';
  readonly jobId: string | null;
  readonly topology: string | null;
  readonly version: string | null;
  readonly submittedBy: string | null;
  readonly status: JobStatus;
  readonly reason: string | null;
  readonly error: string | null;
  /** Who asked to stop; null = nobody did since the last resume. */
  readonly stopRequestedBy: string | null;
  readonly resumes: number;
  readonly startedAt: string | null;
  /**
   * When the run last went on; null = it was never resumed. What runs now has run since then at the
   * longest.
   */
  readonly resumedAt: string | null;
  readonly endedAt: string | null;
  /** Time of the last event, for views that show how long nothing has come. */
  readonly lastAt: string | null;
  /** Highest sequence number seen: an event at or below it changes nothing. */
  readonly lastSeq: number;
  readonly agents: Readonly<Record<string, AgentView>>;
  /** Activation keys in the order in which they began. */
  readonly order: readonly string[];
  readonly usage: UsageView;
  readonly usageByAgent: Readonly<Record<string, UsageView>>;
  /** By `provider/model`, and by `harness:<ref>` for executors. */
  readonly usageByModel: Readonly<Record<string, UsageView>>;
  /** Of `usage`, what choosing what is remembered cost; absent: nobody chose. */
  readonly memoryUsage?: UsageView;
  readonly calls: CallCounts;
  /** Agents that governance did not let begin: they are not activations; no call counts them. */
  readonly agentsDenied: number;
  readonly compression: CompressionView;
  readonly warnings: readonly RunWarning[];
  readonly executors: readonly ExecutorResultView[];
  readonly attachments: readonly AttachmentView[];
  /** By gate id, in the order in which they were first opened. */
  readonly gates: Readonly<Record<string, GateView>>;
  /** Gate and item ids while the run is parked. */
  readonly waitingOn: readonly string[];
  /** By step: what is down that the step waits for. */
  readonly outages: Readonly<Record<string, OutageView>>;
  /** Gates that nobody could be asked about. */
  readonly ungated: readonly string[];
}

/** Counts of an agent or a run that has called nothing yet. */
export const NO_CALLS: CallCounts = { model: 0, tools: 0, failed: 0, denied: 0 };

/** A run of which nothing is known yet. */
export const EMPTY_RUN: RunView = {
  keeps: 'recent',
  jobId: null,
  topology: null,
  version: null,
  submittedBy: null,
  status: 'pending',
  reason: null,
  error: null,
  stopRequestedBy: null,
  resumes: 0,
  startedAt: null,
  resumedAt: null,
  endedAt: null,
  lastAt: null,
  lastSeq: 0,
  agents: {},
  order: [],
  usage: NO_USAGE,
  usageByAgent: {},
  usageByModel: {},
  calls: NO_CALLS,
  agentsDenied: 0,
  compression: NO_COMPRESSION,
  warnings: [],
  executors: [],
  attachments: [],
  gates: {},
  waitingOn: [],
  outages: {},
  ungated: [],
};

/** The same for views that show every call: trace and report. */
export const EMPTY_TRACE: RunView = { ...EMPTY_RUN, keeps: 'all' };
