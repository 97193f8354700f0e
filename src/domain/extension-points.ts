import type { Disposable } from './disposable.js';
import type { JsonObject } from './json.js';
import type { PointId } from './point-ids.js';
import type { AgentTransport } from './ports/agent-transport.js';
import type { ArtifactBytes } from './ports/artifacts.js';
import type { Compressor } from './ports/compressor.js';
import type { CredentialSource, Refusal } from './ports/credential-source.js';
import type { EvalCheck } from './ports/eval-check.js';
import type { Executor } from './ports/executor.js';
import type { GovernanceProvider } from './ports/governance.js';
import type { AuthProvider, HttpMount, HttpTier } from './ports/http.js';
import type { ModelProvider } from './ports/model.js';
import type { OutboundFetch } from './ports/outbound.js';
import type { EventSink, SignalListener } from './ports/sinks.js';
import type { SkillStrategy } from './ports/skill-strategy.js';
import type { Clock, Log } from './ports/system.js';
import type { ToolSource } from './ports/tools.js';
import type { TriggerType } from './ports/triggers.js';
import type { Vault } from './ports/vault.js';

export { POINT_IDS, type PointId } from './point-ids.js';

/**
 * Version of the plugin API; separate from the product's (docs/design/decisions.md#plugin-api). A
 * plugin names a range of it.
 */
export const PLUGIN_API = '1.0.0';

/** What a contribution is given; nothing is imported from the host but types and `define...`. */
export interface PluginContext {
  readonly log: Log;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /**
   * For addresses that files, callers and peers name: it judges them by `server.outbound`. Throws
   * KIT_OUTBOUND_REFUSED, KIT_OUTBOUND_FAILED.
   */
  readonly outbound: OutboundFetch;
  readonly secrets: Secrets;
  /** What the plugin keeps encrypted beside the runs of the workspace; nothing else sees it. */
  readonly vault: Vault;
  /** Aborts when the host disposes the contribution. */
  readonly signal: AbortSignal;
  readonly plugin: { readonly name: string; readonly version: string };
}

/** Resolves references at the point of use; the values are masked wherever kit writes text. */
export interface Secrets {
  /** A named entry of the workspace's `credentials`. Throws KIT_CREDENTIAL_UNRESOLVED. */
  credential(ref: string): Promise<string>;
  /**
   * Says that a server did not take the value of an entry (`CredentialSource.refused`). Absent: no
   * entry is a login.
   */
  refused?(ref: string, refusal: Refusal): Promise<boolean>;
  /** An environment variable that the contribution declares; null when unset or empty. */
  env(name: string): string | null;
}

/** Stamped by `define...`; the host checks the tag, never `instanceof`. */
export interface Tagged<P extends string> {
  readonly $$type: `kit.${P}`;
  readonly version: 1;
}

/**
 * The instance type behind each extension point. Points whose consumer comes later are declared and
 * not listed here.
 */
export interface ExtensionPoints {
  executors: Executor & Disposable;
  governanceProviders: GovernanceProvider & Disposable;
  modelProviders: ModelProvider & Disposable;
  credentialSources: CredentialSource & Disposable;
  artifactStores: ArtifactBytes & Disposable;
  toolSources: ToolSource & Disposable;
  skillStrategies: SkillStrategy & Disposable;
  triggers: TriggerType;
  eventSinks: EventSink;
  compressors: Compressor & Disposable;
  signalListeners: SignalListener;
  authProviders: AuthProvider & Disposable;
  httpMounts: HttpMount & Disposable;
  evalChecks: EvalCheck & Disposable;
  agentTransports: AgentTransport & Disposable;
}

/** A point that this kit can use: one with an entry in `ExtensionPoints`. */
export type LivePointId = keyof ExtensionPoints;

/**
 * What a plugin module exports as `contribution`: makes the instance behind one point from its
 * checked `config`.
 */
export interface Contribution<P extends LivePointId> extends Tagged<P> {
  create(config: JsonObject, context: PluginContext): Promise<ExtensionPoints[P]> | ExtensionPoints[P];
}

/** What the host knows of a contribution without loading code. */
export interface ContributionInfo {
  readonly point: PointId;
  /** `<publisher>.<name>`, unique per point. */
  readonly id: string;
  /**
   * The name that YAML uses: executor `kind`, governance `provider`, model family, credential
   * `source`, artifact `backend`, trigger `type` or `provider_id`, event `sink`, auth `provider`,
   * key of `checks` in an eval set, compression `backend_class`, `strategy_class` of a composed
   * skill.
   */
  readonly name: string;
  readonly title: string;
  readonly plugin: string;
  readonly effects: readonly ('network' | 'subprocess' | 'filesystem' | 'secrets')[];
  readonly configSchema: JsonObject | null;
  /** Absolute paths of the adapter files that an executor brings along. */
  readonly adapters: readonly string[];
  /** Of a compressor: what it leaves out is to be had with `context_retrieve`. Absent = false. */
  readonly keepsOriginal?: boolean;
  /**
   * Of an `httpMounts` contribution: below which path its routes lie ('' for kit's own), which use
   * cases it gets, and the tier of a route that names none.
   */
  readonly mount: { readonly prefix: string; readonly uses: readonly string[]; readonly tier: HttpTier } | null;
}

/**
 * Where a plugin comes from: kit brings it, the user installed it, or it is linked to a directory
 * of its author.
 */
export type PluginOrigin = 'bundled' | 'user' | 'linked';

/** How far a plugin has come. `rejected`: refused before any of its code was loaded. */
export type PluginState = 'registered' | 'rejected' | 'activating' | 'active' | 'failed' | 'disposed';

/**
 * What the host knows of one plugin. `code` and `message` say why it is rejected or failed, else
 * null; times are null until they were measured.
 */
export interface PluginReport {
  readonly name: string;
  readonly version: string;
  readonly origin: PluginOrigin;
  readonly root: string;
  readonly state: PluginState;
  readonly code: string | null;
  readonly message: string | null;
  readonly contributions: readonly ContributionInfo[];
  readonly commands: readonly string[];
  /** What of a foreign plugin was not taken: hooks, nested plugins, shadowed commands. */
  readonly dropped: readonly string[];
  readonly importMs: number | null;
  readonly createMs: number | null;
}

/**
 * All plugins of this process, used through their contributions; code of a contribution is loaded
 * when it is first resolved.
 */
export interface PluginHost {
  /** No code is loaded. */
  list(point: PointId): readonly ContributionInfo[];
  /** By contribution id or YAML name; null when no registered plugin has it. */
  find(point: PointId, idOrName: string): ContributionInfo | null;
  /**
   * The plugin of this user that brings what no registered one has: it was installed, linked or
   * updated after this process started. Null: none does. Reads the files of all foreign plugins, so
   * it is asked on the way to a refusal.
   */
  installedSince(point: PointId, idOrName: string): Promise<string | null>;
  /**
   * Name -> version of the foreign plugins that this user has now and that can be used after a
   * start. Reads the files of all of them.
   */
  usableNow(): Promise<Readonly<Record<string, string>>>;
  /**
   * Loads, checks, creates, memoises per (point, id, config). Throws KIT_PLUGIN_*; the same error
   * again after a failure.
   */
  resolve<P extends LivePointId>(point: P, idOrName: string, config: JsonObject): Promise<ExtensionPoints[P]>;
  /**
   * The same, for what may have failed because somebody else did not answer or nobody had logged
   * in: a contribution that could not be created is created again. A module is imported once.
   */
  retry<P extends LivePointId>(point: P, idOrName: string, config: JsonObject): Promise<ExtensionPoints[P]>;
  report(): readonly PluginReport[];
  /** Reverse order, each with its own timer. */
  dispose(): Promise<void>;
}
