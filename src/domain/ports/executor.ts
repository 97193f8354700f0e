import type { LoginOver } from '../consent.js';
import type { ContainerOwner } from '../container-owner.js';
import type { Exactness, HarnessCall } from '../harness-call.js';
import type { Usage } from '../job.js';
import type { Json, JsonObject } from '../json.js';
import type { ContainerWay, ContainerWayRequest } from './container-way.js';
import type { ToolSpec } from './model.js';
import type { OutboundAddresses } from './outbound.js';
import type { Clock, Log, ProcessSpec, SupervisedProcess } from './system.js';

/** What a non-model executor is asked to do for one agent. The sandbox is already there. */
export interface ExecutorRequest {
  readonly agentId: string;
  readonly statement: string;
  /**
   * The whole task, for a session to go on with that turns out to be gone. Absent: there is none to
   * go on with, or no other one will do, because people decided about this one.
   */
  readonly freshStatement?: string;
  /** The archetype's `executor.config`, checked against the contribution's schema. */
  readonly config: JsonObject;
  /** The adapter's spec for executor `harness`; null for others. */
  readonly adapter: JsonObject | null;
  /** Directory to work in (a worktree). */
  readonly sandboxRoot: string;
  readonly baseCommit: string | null;
  /**
   * Path of a private folder for what the program keeps of its session; it is kept and removed with
   * the worktree, and may not be there yet. Absent: there is no place for one.
   */
  readonly companionDir?: string;
  /** Session of an earlier attempt to go on with; null = start anew. */
  readonly resumeToken: string | null;
  /** What that session was counted with so far; absent: nothing. */
  readonly usedBefore?: Usage;
  readonly stepId: string;
  readonly budget: {
    readonly maxCostUsd: number | null;
    readonly maxTurns: number | null;
    readonly maxWallClockMs: number | null;
    readonly maxIdleMs: number;
  };
}

/** What happens while an executor runs; each is durable before the executor goes on. */
export type ExecutorEvent =
  | { readonly type: 'session'; readonly sessionId: string }
  | { readonly type: 'message'; readonly role: string; readonly text: string }
  | {
      readonly type: 'tool_call';
      readonly tool: string;
      readonly summary: string;
      readonly status: 'ok' | 'error' | '';
      /** Ties the end of a call to its start; absent: the call is a fact by itself. */
      readonly id?: string;
      /** The end of a call whose start was told: the call is counted already. */
      readonly ends?: boolean;
    }
  /**
   * A host that the program asked for, where kit decides which ones are reached: told once a
   * launch for each host and answer. `host` is '' and `port` 0 where none was named.
   */
  | {
      readonly type: 'network';
      readonly host: string;
      readonly port: number;
      readonly answer: 'allowed' | 'refused';
      /** Why not; '' with `allowed`. */
      readonly reason: string;
    }
  | { readonly type: 'raw'; readonly line: string };

/**
 * What came of the work that an executor carried out, where that is another question than whether
 * it could: tests that ran to their end and failed. `text`: a few words, such as
 * `1 of 3 failed, exit code 1`.
 */
export interface ExecutorOutcome {
  readonly passed: boolean;
  readonly text: string;
}

/** How an execution ended. `output` counts only with `success`. */
export interface ExecutorResult {
  readonly status: 'success' | 'failure' | 'budget_exceeded' | 'cancelled' | 'needs_approval' | 'stalled';
  /**
   * Machine-readable cause when not success: `no_terminal_event`, `exit_code`, `line_too_long`,
   * `idle`, `wall_clock`, ...
   */
  readonly reason: string | null;
  readonly message: string;
  readonly output: Json;
  readonly usage: Usage | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderrTail: string;
  /** Absent: the executor tells of none. */
  readonly outcome?: ExecutorOutcome;
  /** Which program worked, with which model; absent: the executor does not say. */
  readonly program?: { readonly version: string | null; readonly model: string | null };
  /**
   * Id of the call at which the program has put itself down, because the gate deferred it: the
   * session can go on from there.
   */
  readonly deferredCall?: string;
  /**
   * The login that the session worked with is over: the run ends with this code, whatever else the
   * result says (docs/connections.md#when-a-token-is-refreshed).
   */
  readonly loginOver?: { readonly code: LoginOver; readonly message: string };
  /** HTTP status with which the server of its model refused the last call; absent: not told. */
  readonly refusedStatus?: number;
}

/**
 * What a program is to do with a call that it announced: carry it out, tell the model that it is
 * refused and why, or end the session until people have decided.
 */
export type GateAnswer =
  /** `input`: in the place of the one that was announced; absent: as it was. */
  | { readonly verdict: 'allow'; readonly input?: JsonObject }
  | { readonly verdict: 'deny'; readonly reason: string }
  | { readonly verdict: 'defer' };

/** The gate before the calls of a harness: it is kit's, never the program's own. */
export interface ExecutorGate {
  /** How exactly the program can go on with a call that people approved. */
  readonly exactness: Exactness;
  /**
   * Asks about one call, before anything of it is done. What the answer stands on is durable when
   * it comes. Never rejects: what goes wrong is a denial.
   */
  ask(call: HarnessCall): Promise<GateAnswer>;
}

/** What a program is told of a call of one of kit's tools. */
export interface ToolReply {
  readonly text: string;
  readonly isError: boolean;
  /** Bytes are base64. */
  readonly images: readonly { readonly mediaType: string; readonly data: string }[];
}

/**
 * The skills of an agent as tools of its program. Each call is a tool call of the run: its
 * arguments, tiers, limits, governance, journal and events are those of a model that calls it.
 */
export interface ExecutorTools {
  /** The names are the same on every launch. */
  readonly offered: readonly ToolSpec[];
  /** Never rejects: what cannot be carried out is an answer that says so. */
  call(name: string, input: JsonObject): Promise<ToolReply>;
}

/** What the operator says of containers (KIT_CONTAINER_RUNTIME, KIT_HARNESS_IMAGE). */
export interface ContainerSettings {
  /** `docker` or `podman`; null = whichever answers. */
  readonly runtime: string | null;
  /** Image of an executor that names none; null = there is no such image. */
  readonly image: string | null;
  /** True (KIT_DISABLE_CONTAINER_SANDBOX): the worktree is all the sandbox there is. */
  readonly isDisabled: boolean;
  /** Absolute directory that relative paths of an adapter start from. */
  readonly workspaceRoot: string;
  /** What a container may be let through to; absent: to nobody. */
  readonly addressesOf?: OutboundAddresses;
  /** Whose containers are those of this process; absent: nobody looks for what another one left. */
  readonly owner?: ContainerOwner;
}

/** What the engine gives an executor: processes only under the run's lease. */
export interface ExecutorContext {
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly clock: Clock;
  /**
   * Environment a child may have: an allowlist, and what the adapter declares
   * (docs/design/execution.md#environment).
   */
  readonly env: Readonly<Record<string, string>>;
  /** Absent: the program itself knows what it may do, and kit is not asked. */
  readonly gate?: ExecutorGate;
  /** Absent: the agent has no skills. */
  readonly tools?: ExecutorTools;
  /** Absent: the operator says nothing. */
  readonly containers?: ContainerSettings;
  /**
   * Starts a child under the run's lease. `stop` ends this one child (TERM to its group, grace,
   * KILL) besides the context's own signal: an executor uses it for budgets that only it can judge
   * (turns, cost, idle time).
   */
  spawn(spec: ProcessSpec, stop?: AbortSignal): SupervisedProcess;
  /** Records an event; resolves when it is durable. */
  emit(event: ExecutorEvent): Promise<void>;
}

/** Does the work of one agent in place of a model; the instance behind the point `executors`. */
export interface Executor {
  run(request: ExecutorRequest, context: ExecutorContext): Promise<ExecutorResult>;
  /**
   * Opens the way of a container to the hosts of a list, for what else runs in one, such as a tool
   * server. Absent: it has no proxy.
   */
  openWay?(request: ContainerWayRequest): Promise<ContainerWay>;
}
