import type { AttachmentRef } from '../domain/job.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { LinkedCommand, LinkedSkill } from '../domain/linked-skill.js';
import type { ArtifactStore } from '../domain/ports/artifacts.js';
import type { ChildRuns } from '../domain/ports/child-runs.js';
import type { Compressor } from '../domain/ports/compressor.js';
import type { ContainerSettings, Executor } from '../domain/ports/executor.js';
import type { Decision, PolicyRequest } from '../domain/ports/governance.js';
import type { KnowledgeStore } from '../domain/ports/knowledge.js';
import type { ModelLimiter } from '../domain/ports/limiter.js';
import type { MemoryStore } from '../domain/ports/memory.js';
import type { ModelProvider, ModelRequest, ModelResult } from '../domain/ports/model.js';
import type { AskVersion } from '../domain/ports/programs.js';
import type { RemoteAgents } from '../domain/ports/remote-agents.js';
import type { ReadRoles, ReviewStore } from '../domain/ports/reviews.js';
import type { SkillStrategy } from '../domain/ports/skill-strategy.js';
import type { Clock, LeaseSignal, Log, Processes } from '../domain/ports/system.js';
import type { ToolServer } from '../domain/ports/tools.js';
import type { Worktrees } from '../domain/ports/worktrees.js';
import type { ProviderBinding, RunSnapshot } from '../domain/snapshot.js';
import type { LinkedServer } from '../domain/tool-server.js';
import type { PluginCompressors } from './compress/plugin-compressors.js';
import type { GateTurns } from './funnel/gate-turns.js';
import type { ToolCache } from './skills/tool-cache.js';
import type { Steps } from './steps.js';
import type { StopWatch } from './stop-watch.js';
import type { TaskSlots } from './tasks/task-slots.js';

/**
 * What every agent of a run shares, wherever it runs: root, child, parallel child, model or harness
 * alike.
 */
export interface RunServices {
  readonly jobId: string;
  /** First part of the refs of its artifacts; the job id where the run has none. */
  readonly correlationId: string | null;
  /** W3C `traceparent` of who submitted the run; null = the run begins a trace of its own. */
  readonly traceParent: string | null;
  readonly snapshot: RunSnapshot;
  readonly attachments: readonly AttachmentRef[];
  readonly steps: Steps;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the task scope: failure, timeout, breach, abort. */
  readonly signal: AbortSignal;
  /** Aborts the task scope of the whole run. */
  readonly abort: () => void;
  /**
   * The durable stop flag, read anew at each boundary (docs/design/execution.md#stop-boundaries).
   */
  readonly stopRequested: () => Promise<boolean>;
  /**
   * Tells of that flag what need not wait for a boundary: a call of a model. Absent: nobody can
   * stop the run.
   */
  readonly stops?: StopWatch;
  /** A provider for the calls of one step; `stepKey` is the key of that step. */
  readonly provider: (binding: ProviderBinding, stepKey: string) => Promise<ModelProvider>;
  /** Bounds the requests to each provider; absent: they are not bounded. */
  readonly limiter?: ModelLimiter;
  /** An executor for the session of one step. */
  readonly executor: (kind: string, config: JsonObject, stepKey: string) => Promise<Executor>;
  /** A contribution to `compressors`, by name or id. Rejects with KIT_PLUGIN_*. */
  readonly compressor: (nameOrId: string) => Promise<Compressor>;
  /** A contribution to `skillStrategies`, by name or id. Rejects with KIT_PLUGIN_*. */
  readonly strategy: (nameOrId: string) => Promise<SkillStrategy>;
  readonly compressors: PluginCompressors;
  /** Waits between two attempts of one call; default: the clock. A replay waits for nobody. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Asks the governance provider; a missing, failed or unknown answer is a denial. */
  readonly decide: (request: PolicyRequest) => Promise<Decision>;
  /**
   * How far an agent is trusted, 0..1, as the governance provider says now; null = it does not say.
   * Absent: there is no source of trust.
   */
  readonly trust?: (agentId: string) => Promise<number | null>;
  /**
   * Scopes that only people hold, as the role registry says now; the snapshot's are added (the
   * stricter holds).
   */
  readonly humanScopes: readonly string[];
  /** Who may sign, as the role files say now. */
  readonly roles: ReadRoles;
  /** What people decided so far about this run. */
  readonly reviews: Pick<ReviewStore, 'state'>;
  readonly artifacts: Pick<ArtifactStore, 'put' | 'read'>;
  /** Whose turn it is at a gate that several activations of one agent come to. */
  readonly turns: GateTurns;
  /** Answers of tools that only read. */
  readonly toolCache: ToolCache;
  /** Places for agents at work; absent: the topology bounds nothing. */
  readonly slots?: TaskSlots;
  /** Set inside an activation whose topology bounds it. */
  readonly task?: {
    /**
     * The services of the run, without the bounds of this activation: what runs below it has its
     * own.
     */
    readonly outer: RunServices;
    /** Waits for others without a place and without using time. */
    aside<T>(wait: () => Promise<T>): Promise<T>;
  };
  readonly processes: Processes;
  readonly worktrees: Worktrees;
  readonly lease: LeaseSignal;
  /**
   * What is remembered, for the submitter of the run alone; absent where the store keeps no memory.
   */
  readonly memory?: RunMemory;
  /** What its knowledge bases are searched with; absent where the store keeps none. */
  readonly knowledge?: Pick<KnowledgeStore, 'find'>;
  /** Bytes of an attachment by digest. */
  readonly blob: (sha256: string) => Promise<Uint8Array | null>;
  /** Absolute workspace directory; commands and worktrees start from it. */
  readonly workspaceRoot: string;
  /** The allowlisted environment of any child process, without secrets. */
  readonly childEnv: Readonly<Record<string, string>>;
  /**
   * What a program says of itself; the answer is kept for a while. Absent: it is not asked. It is
   * started with nothing but `--version`.
   */
  readonly askVersion?: AskVersion;
  /**
   * Values of variables that an agent hands to its program by name; masked from then on. Throws
   * KIT_CREDENTIAL_UNRESOLVED for one that is not set. Absent: none is to be had.
   */
  readonly variables?: (names: readonly string[]) => Promise<Readonly<Record<string, string>>>;
  /** For executors that run in a container; absent: nothing is set. */
  readonly containers?: Omit<ContainerSettings, 'workspaceRoot'>;
  /**
   * Environment of one command with `${VAR}` and credential references resolved, at the point of
   * use: the step of this key. Throws KIT_BINARY_VERSION where a binary of its pack is there in
   * another version than the pack asks for.
   */
  readonly commandEnv: (command: LinkedCommand, stepKey: string) => Promise<Readonly<Record<string, string>>>;
  /**
   * The server of a tool, opened when it is first asked for: its processes run under the lease of
   * the run, or as long as this process where servers are shared. `stepKey` is the key of the step
   * that asks. Throws KIT_TOOL_SERVER_FAILED with the last lines of stderr in its message.
   */
  readonly toolServer: (server: LinkedServer, lease: LeaseSignal, stepKey: string) => Promise<ToolServer>;
  /**
   * Permission tier of a skill as the workspace says now; null where it says none. The stricter of
   * it and the snapshot's holds.
   */
  readonly tierNow: (skill: LinkedSkill) => LinkedCommand['permission'] | null;
  /**
   * The runs that this one asks for; absent: there can be none, and a skill that needs one fails.
   */
  readonly children?: ChildRuns;
  /** The way to agents that run elsewhere; absent: a skill that calls one fails. */
  readonly remoteAgents?: RemoteAgents;
  /** Errors of a value against a JSON Schema, as short sentences with a pointer. */
  readonly validate: (schema: JsonObject, value: Json) => Promise<readonly SchemaError[]>;
  /**
   * Shortened, redacted form of what goes into events, by the skill's policy and the audit level.
   */
  readonly redactCall: (
    skillId: string | null,
    call: { readonly inputs: Json; readonly outputs: Json },
  ) => Promise<{ readonly inputs?: Json; readonly outputs?: Json }>;
  /**
   * Told of each call of a model once it has an answer, for whoever looks for a fault; nothing
   * depends on it. Absent: nobody listens.
   */
  readonly onAsked?: (asked: AskedModel) => void;
  /** Streamed text for a live view; ephemeral. */
  readonly onText: (activation: string, text: string) => void;
}

/** One call of a model, as it was made and answered. Not masked. */
export interface AskedModel {
  readonly stepKey: string;
  readonly agentId: string;
  readonly skillId: string | null;
  readonly purpose: 'turn' | 'correction' | 'skill' | 'continuation' | 'summary';
  readonly provider: string;
  /** Which try of the step, from 1. */
  readonly tries: number;
  /** Milliseconds since 1970. */
  readonly askedAtMs: number;
  readonly durationMs: number;
  readonly request: ModelRequest;
  readonly result: ModelResult;
}

/** Memory as a run sees it; `stepKey` is the key of the step that asks. */
export interface RunMemory {
  /**
   * Identity of the submitter: what the run remembers belongs to it, and what belongs to others is
   * not read.
   */
  readonly owner: string;
  find(...asked: [...Parameters<MemoryStore['find']>, stepKey: string]): ReturnType<MemoryStore['find']>;
  write(...asked: [...Parameters<MemoryStore['write']>, stepKey: string]): ReturnType<MemoryStore['write']>;
}

export type SchemaError = {
  readonly pointer: string;
  readonly message: string;
};

/** Effective value of a numeric `run` variable, frozen in the snapshot. */
export function numberOf(snapshot: RunSnapshot, name: string): number {
  const value = snapshot.env[name];
  if (typeof value !== 'number') throw new Error(`snapshot holds no number for ${name}`);
  return value;
}

export function stringOf(snapshot: RunSnapshot, name: string): string {
  const value = snapshot.env[name];
  return value === undefined ? '' : String(value);
}
