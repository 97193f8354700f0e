import type { Effects } from '../../domain/journal.js';
import type { JsonObject, JsonSchema } from '../../domain/json.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import type { AuthProvider, SignIn, SignInAnswer } from '../../domain/ports/http.js';
import type { UsageKey } from '../../domain/ports/usage.js';
import type { Workspace } from '../../domain/workspace.js';
import type { ComprehensionReport } from '../../view/comprehension.js';
import type { TopologyGraph } from '../../view/graph/topology-graph.js';
import type { UsageReport, UsageSummary } from '../../view/model-usage.js';
import type { GrowthReport, StorageReport, StorageStatus } from '../../view/storage-report.js';
import type { SystemReport } from '../../view/system-report.js';
import type { Span } from '../../view/trace-spans.js';
import type { ServerRole } from '../serve/serve-app.js';

/** Whose workspace it is. */
export interface WorkspaceLabel {
  readonly id: string;
  readonly name: string | null;
}

/** What a client may count on from this workspace and this kit. */
export interface Capabilities {
  readonly serveVersion: string;
  /**
   * The level of the interface whose artifact schemas hold: what `requires_runtime` is compared
   * with.
   */
  readonly schemaVersion: string;
  /** Of the server that answers; null = none does. */
  readonly role: ServerRole | null;
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** `metadata.description`; null = none. */
  readonly description: string | null;
  readonly organisation: WorkspaceLabel | null;
  readonly team: WorkspaceLabel | null;
  readonly annotations: Readonly<Record<string, string>>;
  /** Names without versions, sorted. */
  readonly topologies: readonly string[];
  /** Everything that an agent may name, sorted. */
  readonly modelProviders: readonly string[];
  readonly governanceProvider: string;
  readonly features: {
    /** Name of the auth provider. */
    readonly auth: string;
    /**
     * Backend of context compression that the workspace names; a variable may choose another for
     * one run.
     */
    readonly compression: string;
    readonly canary: boolean;
    readonly a2a: boolean;
  };
}

/** What is in the workspace that runs are compiled from now. */
export interface Inventory {
  /** `name@version`, and the bare name, which is the highest version; sorted. */
  readonly topologies: readonly string[];
  readonly skills: readonly { readonly id: string; readonly category: string }[];
  readonly archetypes: readonly string[];
  readonly funnels: readonly string[];
  readonly contracts: readonly string[];
}

/** A topology as other agents see it: under its bare name, as its highest version has it. */
export interface OfferedTopology extends Pick<LinkedTopology, 'name' | 'version' | 'description'> {
  /** Null: any text or JSON. */
  readonly inputSchema: JsonSchema | null;
  /** Null: the answer is text. */
  readonly outputSchema: JsonSchema | null;
  /**
   * The gravest that a run can do, as far as the skills of its agents prove it; `unknown`: nothing
   * is proven.
   */
  readonly effects: Effects;
}

/** What a workspace offers to other agents, and by which rules. */
export interface Offered extends Pick<Workspace, 'id' | 'name' | 'description' | 'server'> {
  /** Runs at a time of one process. */
  readonly maxConcurrent: number;
  /** By name. */
  readonly topologies: readonly OfferedTopology[];
}

/** Which calls of models to sum, and by what. Times are ISO 8601, inclusive; null = no bound. */
export interface UsageQuery {
  readonly workspace: string;
  readonly by: UsageKey;
  /** Name of a topology: every version of it. */
  readonly topology: string | null;
  /** Calls within so many milliseconds until now; with `since` the later of both counts. */
  readonly youngerThanMs: number | null;
  readonly since: string | null;
  readonly until: string | null;
}

/** Which approvals to look at. */
export interface ComprehensionQuery {
  readonly workspace: string;
  /** An approval faster than this counts as debt; > 0. */
  readonly fastApproveSeconds: number;
  /** Approvals within so many milliseconds until now: no more of the log is read than of these. */
  readonly youngerThanMs: number;
  /** Of these the newest, at most this many; >= 1. */
  readonly limit: number;
}

/**
 * What a workspace and its kit are, and what its runs used: `kit storage status`, `kit system`,
 * `kit comprehension` and the read routes of a server. Nothing is written, looking makes no store,
 * and no secret is in any answer. All throw KIT_WORKSPACE_NOT_FOUND.
 */
export interface InfoApp {
  /**
   * Where every store lies and which setting says so; nothing is opened. Throws
   * KIT_WORKSPACE_INVALID for a workspace.yaml that cannot be read.
   */
  storage(workspace: string): Promise<StorageReport>;
  /**
   * How large the store of the runs is, how far back it reaches, and what its retention would
   * remove now: a few short reads of it. A store that cannot be asked is part of the answer. Throws
   * as `storage`.
   */
  growth(workspace: string): Promise<GrowthReport>;
  /** Both, of one reading of workspace.yaml. Throws as `storage`. */
  storageStatus(workspace: string): Promise<StorageStatus>;
  /** The whole page; other artifacts may be broken. Throws as `storage`. */
  system(workspace: string): Promise<SystemReport>;
  /**
   * Where people find the pages of the workspace: `server.public_url`, else `server.host` and
   * `server.port` at this machine (8000 unless written). Throws KIT_WORKSPACE_INVALID, KIT_USAGE
   * where the port is any free one.
   */
  address(workspace: string): Promise<string>;
  /** How callers prove who they are: public, so no secret. Throws KIT_AUTH_INVALID. */
  authInfo(workspace: string): Promise<ReturnType<AuthProvider['info']>>;
  /**
   * Where the issuer's page for signing in is. Null: it does not say it now, or nobody signs in
   * through a browser here. Throws KIT_AUTH_INVALID.
   */
  signInPlace(workspace: string): Promise<string | null>;
  /** Throws KIT_LOGIN_FAILED, KIT_CAPACITY. */
  signIn(ask: SignInAnswer & { readonly workspace: string }): ReturnType<SignIn['finish']>;
  /** Throws KIT_WORKSPACE_INVALID, KIT_AUTH_INVALID. */
  capabilities(workspace: string): Promise<Capabilities>;
  /** Throws KIT_WORKSPACE_INVALID. */
  inventory(workspace: string): Promise<Inventory>;
  /** Throws KIT_WORKSPACE_INVALID. */
  offered(workspace: string): Promise<Offered>;
  /**
   * Topologies as boxes and lines, by name and version; one of them by its name or `name@version`.
   * Throws KIT_WORKSPACE_INVALID, KIT_TOPOLOGY_UNKNOWN.
   */
  graphs(ask: { readonly workspace: string; readonly topology: string | null }): Promise<readonly TopologyGraph[]>;
  comprehension(query: ComprehensionQuery): Promise<ComprehensionReport>;
  /** Throws KIT_REQUEST_INVALID for a bound that is not a moment, a topology with a version. */
  usage(query: UsageQuery): Promise<UsageReport>;
  /** Of one run, by its whole id. Throws KIT_JOB_UNKNOWN. */
  usageOf(ask: { readonly workspace: string; readonly job: string }): Promise<UsageSummary>;
  /** By run id or unique prefix. Throws KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS. */
  trace(ask: { readonly workspace: string; readonly run: string }): Promise<Span>;
  /**
   * JSON Schema of an artifact kind, self-contained: `topology`, `RoleRegistry`. Throws
   * KIT_SCHEMA_UNKNOWN naming the kinds.
   */
  schema(kind: string): Promise<JsonObject>;
}
