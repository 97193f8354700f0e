import type { Artifact } from './artifact.js';
import type { CompressionPolicy } from './compression.js';
import type {
  Archetype,
  Contract,
  EvalSet,
  ExecutorAdapter,
  Funnel,
  ModelProvider as ModelProviderArtifact,
  RoleRegistry,
  Skill,
  Trigger,
  Workspace as WorkspaceArtifact,
} from './generated/artifacts.js';
import type { JsonObject } from './json.js';
import type { Limits } from './limits.js';
import type { LinkedFunnel } from './linked-funnel.js';
import type { AuditLevel, LinkedSkill } from './linked-skill.js';
import type { LinkedTopology } from './linked-topology.js';
import type { MemorySettings } from './memory-settings.js';
import type { NotYetUse } from './not-yet-use.js';
import type { TriggerSpec } from './ports/triggers.js';
import type { ServerSettings, SinkSettings } from './server-settings.js';
import type { StorageSettings } from './storage-settings.js';
import type { LinkedServer } from './tool-server.js';

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
