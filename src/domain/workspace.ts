import type { CompressionPolicy } from './compression.js';
import type { DecisionBinding } from './decision-binding.js';
import type { SourceFile, Span } from './diagnostic.js';
import type { ModelRouting } from './fallback-model.js';
import type { ApprovalPolicy } from './gates.js';
import type {
  Archetype,
  Contract,
  EvalSet,
  ExecutorAdapter,
  Funnel,
  ModelProvider as ModelProviderArtifact,
  RoleRegistry,
  Skill,
  Topology,
  Trigger,
  Workspace as WorkspaceArtifact,
} from './generated/artifacts.js';
import type { IntentSettings } from './intent.js';
import type { Effects, OnInDoubt } from './journal.js';
import type { Json, JsonObject, JsonSchema } from './json.js';
import type { KnowledgeBase } from './knowledge.js';
import type { MemorySettings } from './memory-settings.js';
import type { Planning, Synthesis } from './planning.js';
import type { ModelSettings } from './ports/model.js';
import type { TriggerSpec } from './ports/triggers.js';
import type { LinkedServer } from './tool-server.js';

/** Kind names as they stand in `kind:`. */
export type Kind =
  | 'Workspace'
  | 'Topology'
  | 'Archetype'
  | 'Skill'
  | 'Funnel'
  | 'Contract'
  | 'RoleRegistry'
  | 'Trigger'
  | 'ExecutorAdapter'
  | 'ModelProvider'
  | 'EvalSet';

/**
 * One parsed and schema-checked document with its source. `value` is interpolated, except where
 * text reaches a URL, a header, an environment or a credential: there `${VAR}` stays a reference,
 * resolved at the point of use (docs/design/journal.md#references).
 */
export interface Artifact<T> {
  readonly kind: Kind;
  readonly path: string;
  readonly value: T;
  /** The same tree as its author wrote it: nothing is interpolated. */
  readonly raw: T;
  readonly source: SourceFile;
  /** Span of the value at an RFC 6901 pointer, or of the nearest ancestor that exists. */
  spanOf(pointer: string): Span;
  /** Span of the key at a pointer. */
  keySpanOf(pointer: string): Span;
}

/**
 * The model that the files name, before KIT_PROVIDER and KIT_MODEL are looked at; null = not named.
 * The tool pair answers the turns after the first of an agent that has tools.
 */
export interface ModelChoice extends ModelSettings, ModelRouting {
  readonly provider: string | null;
  readonly name: string | null;
  readonly toolProvider: string | null;
  readonly toolModel: string | null;
}

/** How a node executes; from its archetype alone. */
export type ExecutorChoice =
  | { readonly kind: 'model' }
  | { readonly kind: 'harness'; readonly ref: string; readonly config: JsonObject; readonly onInDoubt: OnInDoubt }
  /** An executor contribution of a plugin, by its `kind` name. */
  | { readonly kind: 'plugin'; readonly ref: string; readonly config: JsonObject; readonly onInDoubt: OnInDoubt };

/**
 * One agent of a topology after merge (docs/design/workspace.md#merging). Plain JSON: it goes into
 * the snapshot as it is.
 */
export interface AgentNode {
  readonly id: string;
  readonly role: 'root' | 'leader' | 'worker';
  readonly archetype: string | null;
  /** What it is for, in its own words or those of its archetype; absent: nothing is said. */
  readonly description?: string;
  readonly executor: ExecutorChoice;
  readonly model: ModelChoice;
  /** persona, then system, joined by a blank line; null = none. */
  readonly systemPrompt: string | null;
  /** Skill ids in order, without duplicates. */
  readonly skills: readonly string[];
  readonly requires: Readonly<Record<string, readonly string[]>>;
  readonly baseScope: readonly string[];
  readonly elevatedScopes: readonly string[];
  /** The effective schema; null = none. */
  readonly outputSchema: JsonSchema | null;
  readonly funnel: string | null;
  /** Absent: drift is not measured. */
  readonly intent?: IntentSettings;
  readonly dependsOn: readonly string[];
  readonly children: readonly AgentNode[];
  readonly pointer: string;
}

/** A linked topology, keyed by (name, version). */
export interface LinkedTopology {
  readonly name: string;
  readonly version: string;
  readonly description: string | null;
  readonly root: AgentNode;
  readonly inputSchema: JsonSchema | null;
  readonly locks: readonly string[];
  readonly decisions: readonly DecisionBinding[];
  readonly planning: Planning | null;
  readonly synthesis: Synthesis | null;
  readonly knowledge: readonly KnowledgeBase[];
  /** Null: neither bound is written. */
  readonly tasks: TaskBounds | null;
  readonly gaps: GapSettings;
  /** Ids of `artifacts.review_queues`. */
  readonly reviewQueues: readonly string[];
  /**
   * `artifacts.audit.level`, else `audit.level` of the workspace: how much of a call the log of its
   * runs keeps at most.
   */
  readonly auditLevel: AuditLevel;
  readonly artifact: Artifact<Topology>;
}

/** `artifacts.skill_gap_logging`: calls of tools that no agent of the topology holds. */
export interface GapSettings {
  /** False: they are refused as ever, and not recorded as gaps. Default true. */
  readonly enabled: boolean;
  /** How often one must happen in the topology before lists of gaps show it; default 1. */
  readonly surfaceThreshold: number;
}

/** Bounds of the agents of one run (`runtime` of its topology). */
export interface TaskBounds {
  /** Agents at work at a time (none that waits for others), at least 1; null = any number. */
  readonly maxConcurrent: number | null;
  /**
   * Working time of one activation in one attempt; null = no bound. What it waits for others or for
   * people does not count.
   */
  readonly timeoutMs: number | null;
}

/**
 * Upper bound of what the log keeps of calls: nothing, a summary, all that a skill's own policy
 * allows.
 */
export type AuditLevel = 'minimal' | 'standard' | 'detailed';

/**
 * How much of a call the log keeps; `redact` lists the paths whose values are never written,
 * whatever the level.
 */
export type SkillAudit = {
  readonly logInputs: 'full' | 'summary' | 'none';
  readonly logOutputs: 'full' | 'summary' | 'none';
  readonly redact: readonly string[];
};

/** A skill as the engine runs it. Plain JSON. */
export interface LinkedSkill {
  readonly id: string;
  readonly description: string;
  readonly category: 'capability' | 'decision' | 'coordination' | 'persistence';
  readonly inputs: JsonSchema | null;
  readonly outputs: JsonSchema | null;
  readonly requiredScopes: readonly string[];
  readonly effects: Effects;
  readonly onInDoubt: OnInDoubt;
  /**
   * What becomes of a call that failed: the agent is told (absent), or a person answers for it
   * first.
   */
  readonly onFailure?: 'escalate_to_human';
  /** Absent: none are written. */
  readonly constraints?: SkillConstraints;
  /** Category default, then the skill's own keys; `auditLevel` of the run's topology bounds it. */
  readonly audit: SkillAudit;
  readonly implementation: LinkedImplementation;
}

/** What a call of the skill does, by the `type` of its YAML. */
export type LinkedImplementation =
  | { readonly type: 'llm_prompt'; readonly prompt: string; readonly model: ModelChoice }
  | { readonly type: 'command'; readonly pack: string; readonly command: LinkedCommand }
  | { readonly type: 'mcp_tool'; readonly server: string; readonly tool: string; readonly arguments: JsonObject }
  | { readonly type: 'knowledge'; readonly base: KnowledgeBase }
  | {
      readonly type: 'composed';
      readonly composes: readonly string[];
      readonly strategy: string;
      /**
       * Beside the strategy `custom`: the contribution to `skillStrategies`, by its id once a run
       * is frozen.
       */
      readonly strategyClass?: string;
    }
  | {
      readonly type: 'agent';
      /** A topology of the workspace, or else `cardUrl`. */
      readonly topology: string | null;
      /** Address of the Agent Card of an agent that runs elsewhere. */
      readonly cardUrl: string | null;
      /** Which skill of the card; null = the agent chooses. */
      readonly skillId: string | null;
      readonly credentialsRef: string | null;
      /** Of execution; what the other side waits for people does not count. Default 600 s. */
      readonly timeoutMs: number;
      readonly permission: LinkedCommand['permission'];
      /**
       * Who answers what an agent that runs elsewhere asks before it goes on, and how often the
       * calling agent does. Absent: the calling agent, twice.
       */
      readonly onUnanswerable?: 'agent' | 'relay' | 'abort';
      readonly maxAgentAnswers?: number;
    };

/** `constraints` of a skill. */
export interface SkillConstraints {
  /** Of one attempt: the stricter of `timeout_seconds` and `max_latency_ms`; null = none. */
  readonly timeoutMs: number | null;
  /**
   * Attempts after the first, of a skill whose effects are `none` or `read`; others are never
   * repeated.
   */
  readonly retries: number;
  readonly backoff: 'exponential' | 'linear' | 'none';
}

/**
 * A funnel as the engine runs it; plain JSON. Layers run in this order, all but `approve` may be
 * absent (docs/design/execution.md#funnel).
 */
export interface LinkedFunnel {
  readonly id: string;
  readonly validate: {
    readonly schema: JsonSchema | null;
    /** One re-prompt limited to the failing fields before a retry counts. */
    readonly autocorrect: boolean;
    readonly sliceBudget: { readonly maxDiffLines: number | null; readonly maxFiles: number | null } | null;
    readonly citedChange: boolean;
  } | null;
  /** `rubric` is the text of the file; null = none. `threshold` 0..1. */
  readonly judge: { readonly skill: string; readonly rubric: string | null; readonly threshold: number } | null;
  /**
   * The reviewer as an agent without children, named `<archetype>@<funnel>`; it holds no skills of
   * the author, and of its archetype's only those that read. It answers REVIEW_SCHEMA. `readScope`:
   * paths of the repository, folders whole; empty = none of its files.
   */
  readonly review: {
    readonly reviewer: AgentNode;
    readonly readScope: readonly string[];
    readonly routeBackAt: Severity;
  } | null;
  /** Drafts that the automated layers together may send back (`judge.max_retries`, 2). */
  readonly maxRetries: number;
  readonly approve: ApprovalPolicy;
}

/** How grave a reviewer's finding is. */
export type Severity = 'info' | 'low' | 'medium' | 'high' | 'critical';

/**
 * One command of a pack; `env` keeps `${VAR}` and `{credential.<ref>}` as references
 * (docs/design/journal.md#references).
 */
export interface LinkedCommand {
  readonly id: string;
  readonly argv: readonly string[];
  /** Relative to the workspace root; '' = the root. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly credentialsRef: string | null;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly parse: 'text' | 'json' | 'lines';
  readonly permission: 'open' | 'cautious' | 'strict' | 'readonly';
  /**
   * Binaries of its pack with the version that they must have, such as `>=2.40`; absent: none is
   * asked for.
   */
  readonly requires?: readonly { readonly binary: string; readonly version: string }[];
}

/**
 * Bounds of one run or agent: steps are counted, cost is in USD; null = no bound. `maxStepsPerRun`
 * defaults to 500.
 */
export interface Limits {
  readonly maxStepsPerAgent: number | null;
  readonly maxStepsPerRun: number;
  readonly maxCostPerRunUsd: number | null;
  /** Tokens in and out, cached ones too. Absent, in what was frozen before: null. */
  readonly maxTokensPerRun?: number | null;
  /** Calls of agents that run elsewhere. Absent or null: 50. */
  readonly maxRemoteCalls?: number | null;
}

/** A named secret reference; resolved at the point of use by the one credential service. */
export interface CredentialEntry {
  readonly source: string;
  readonly config: JsonObject;
  readonly providerId: string | null;
}

/**
 * All artifacts, linked and immutable. The product of `compile`; every later room reads this and
 * never YAML.
 */
export interface Workspace {
  /** Absolute directory. */
  readonly root: string;
  readonly id: string;
  readonly name: string;
  readonly config: Artifact<WorkspaceArtifact>;
  /** By `name@version`; `topologyOf` in compile resolves a bare name to the highest version. */
  readonly topologies: ReadonlyMap<string, LinkedTopology>;
  readonly archetypes: ReadonlyMap<string, Artifact<Archetype>>;
  readonly skills: ReadonlyMap<string, LinkedSkill>;
  readonly skillArtifacts: ReadonlyMap<string, Artifact<Skill>>;
  readonly funnels: ReadonlyMap<string, Artifact<Funnel>>;
  /** The same as the engine runs them. */
  readonly linkedFunnels: ReadonlyMap<string, LinkedFunnel>;
  readonly roles: readonly Artifact<RoleRegistry>[];
  readonly contracts: ReadonlyMap<string, Artifact<Contract>>;
  readonly triggers: ReadonlyMap<string, Artifact<Trigger>>;
  readonly adapters: ReadonlyMap<string, Artifact<ExecutorAdapter>>;
  readonly providers: ReadonlyMap<string, Artifact<ModelProviderArtifact>>;
  readonly evalSets: ReadonlyMap<string, Artifact<EvalSet>>;
  readonly credentials: ReadonlyMap<string, CredentialEntry>;
  readonly limits: Limits;
  /**
   * `provider` is the name of a contribution; what a custom provider is called stands in its
   * configuration.
   */
  readonly governance: {
    readonly provider: string;
    readonly config: JsonObject;
    readonly requireIdentifiedAuthor: boolean;
    /** A run of a gate that nobody could be asked about is refused. */
    readonly requireGates: boolean;
  };
  readonly auditLevel: AuditLevel;
  readonly memory: MemorySettings;
  /** Whether workspace.yaml has a `memory` block. */
  readonly isMemoryWritten: boolean;
  /** `mcp_servers` by id. */
  readonly servers: ReadonlyMap<string, LinkedServer>;
  readonly compression: CompressionPolicy;
  /** `gates.auto_resume`: a decided gate wakes its run without a call; default true. */
  readonly autoResume: boolean;
  readonly journalDays: number;
  readonly storage: StorageSettings;
  readonly jobTimeoutMs: number;
  readonly maxConcurrent: number;
  readonly server: ServerSettings;
  readonly sinks: readonly SinkSettings[];
  /** `identity`: which human identity provider stands behind `server.auth`; null = none named. */
  readonly identity: { readonly provider: string; readonly config: JsonObject } | null;
  /** `organisation`, `team` and parts of `metadata`: for telemetry, audit and `/capabilities`. */
  readonly organisation: { readonly id: string; readonly name: string | null } | null;
  readonly team: { readonly id: string; readonly name: string | null } | null;
  readonly annotations: Readonly<Record<string, string>>;
  readonly description: string | null;
  /** Triggers in their canonical form, by id. */
  readonly triggerSpecs: ReadonlyMap<string, TriggerSpec>;
  /** Human-only scopes: the reserved ten, `audit:*`, and everything that a role confers. */
  readonly humanScopes: ReadonlySet<string>;
  /** Used keys that no code path consumes yet, from the key table. */
  readonly notYet: readonly NotYetUse[];
}

/** `server` of the workspace with its defaults (docs/design/decisions.md#server-defaults). */
export interface ServerSettings {
  /** Null: not written; a flag decides, else 127.0.0.1. */
  readonly host: string | null;
  /** Null: not written; a flag decides, else 8000. */
  readonly port: number | null;
  readonly publicUrl: string | null;
  /** `allowed_hosts`: `name` or `name:port`, lower case; [] = none is named. */
  readonly allowedHosts: readonly string[];
  readonly auth: {
    readonly provider: string;
    readonly requireOnNonloopback: boolean;
    /**
     * As it was written, with what stands directly under `server.auth`; `${VAR}` and references are
     * resolved when a server starts.
     */
    readonly config: JsonObject;
  };
  readonly jobs: {
    readonly recoverAll: boolean;
    readonly shutdownMs: number;
    /**
     * How long a claim holds without a heartbeat; one every third of it. 3 to 3600 s, 60 s unless
     * written.
     */
    readonly leaseMs: number;
  };
  /** The topologies as an agent of A2A; off unless `enabled`. */
  readonly a2a: {
    readonly enabled: boolean;
    /** How long a blocking message waits for its run; 50 s unless written. */
    readonly waitMs: number;
    /** What the card says of whose agent it is; null = not written. */
    readonly identity: {
      readonly name: string | null;
      readonly description: string | null;
      readonly url: string | null;
      readonly organization: string | null;
    };
  };
  /** `allow`: private hosts and ranges that are called (`OutboundRules`). */
  readonly outbound: { readonly allow: readonly string[] };
  /** Pages for people at `/console`. */
  readonly console: { readonly enabled: boolean };
  /** The topologies as tools at `/mcp/`. */
  readonly mcp: {
    readonly enabled: boolean;
    /** How long a call waits for its run; 45 s unless written. */
    readonly waitMs: number;
  };
  readonly canary: readonly CanaryRouteSettings[];
  readonly signal: { readonly url: string; readonly credentialsRef: string | null } | null;
}

/** A topology whose runs are split between versions. */
export interface CanaryRouteSettings {
  readonly topology: string;
  readonly versions: readonly {
    readonly version: string;
    readonly weight: number;
    readonly promoteWhen: PromoteWhen | null;
  }[];
}

/** When a version is promoted by itself: every condition must hold (docs/canary.md). */
export interface PromoteWhen {
  readonly minRuns: number;
  readonly errorRateBelow: number;
  readonly driftBelow: number;
  /**
   * `drift_below` was written: then the condition is unmet as long as no drift is measured.
   * Unwritten, its default holds for measured drift alone.
   */
  readonly needsDrift: boolean;
  readonly windowMs: number;
}

/** One entry of `events`. */
export interface SinkSettings {
  /**
   * Name or id of a contribution to `eventSinks`: `webhook`, `stdout`, or what `provider_id` names.
   */
  readonly sink: string;
  /** What the contribution is created with; `${VAR}` and references are resolved then. */
  readonly config: JsonObject;
  /** [] = every type. */
  readonly types: readonly string[];
}

/**
 * One block of `storage` as it was written; `url` still holds `${VAR}` and is resolved when the
 * store is opened (docs/design/journal.md#references).
 */
export interface StorageBlock {
  /** Null: the block names none. */
  readonly backend: 'sqlite' | 'postgres' | null;
  readonly url: string | null;
  /** `checkpoints` alone: the SQLite file, as it was written. */
  readonly path?: string;
}

/**
 * `storage.artifacts` as it was written; a URL and the configuration of a plugin still hold
 * `${VAR}`.
 */
export type ArtifactsBlock =
  | {
      readonly kind: 'database';
      /** Null: the engine of the runs. */
      readonly backend: 'sqlite' | 'postgres' | null;
      readonly url: string | null;
    }
  | {
      readonly kind: 'plugin';
      /** Id or name of a contribution to `artifactStores`. */
      readonly plugin: string;
      readonly config: JsonObject;
    };

/** Where a workspace keeps its runs; null = the block is absent. */
export interface StorageSettings {
  readonly runtime: StorageBlock | null;
  readonly checkpoints: StorageBlock | null;
  readonly audit: StorageBlock | null;
  readonly artifacts: ArtifactsBlock | null;
  /** Resolved and shown (`kit storage status`): memory lies with the runs. */
  readonly memory: StorageBlock | null;
  /** The same. */
  readonly fleet: StorageBlock | null;
  /**
   * `knowledge_bases.default_backend`: the engine that indexes have to lie in, which is that of the
   * runs.
   */
  readonly knowledgeBases: 'sqlite' | 'postgres' | null;
}

/** One use of a key whose state in the key table is `not-yet`. */
export interface NotYetUse {
  /** Kind and key path, as the table names it: `Topology.agents.*.funnel`. */
  readonly key: string;
  readonly mark: 'refuse' | 'warn';
  readonly path: string;
  readonly pointer: string;
  readonly span: Span | null;
  /** Topologies (`name@version`) that reach it; null = every run of the workspace. */
  readonly reachedBy: readonly string[] | null;
  readonly value: Json;
}
