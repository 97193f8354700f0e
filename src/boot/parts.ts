import type { App } from '../app/app.js';
import type { Alone, EditingDeps } from '../app/editing/create-editing-app.js';
import type { EditingApp } from '../app/editing/editing-app.js';
import type { EventsDeps } from '../app/events/create-events-app.js';
import type { FleetReadDeps } from '../app/fleet/queue-stats.js';
import type { ObserveDeps } from '../app/observe/create-observe-app.js';
import type { PluginsApp } from '../app/plugins/plugins-app.js';
import type { ReviewDeps } from '../app/review/deps.js';
import type { RunSession } from '../app/runs/run-session.js';
import type { RunsApp } from '../app/runs/runs-app.js';
import type { StreamedText, TextFeed } from '../app/runs/text-feed.js';
import type { ServeDeps } from '../app/serve/create-serve-app.js';
import type { StorageEnvironment } from '../app/storage/storage-environment.js';
import type { WorkerDeps } from '../app/work/create-worker-app.js';
import type { ProcessSettings } from '../cli/process-settings.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { FleetStore } from '../domain/ports/fleet.js';
import type { ModelLimiter } from '../domain/ports/limiter.js';
import type { MemoryStore } from '../domain/ports/memory.js';
import type { OutboundAddresses, OutboundFetch } from '../domain/ports/outbound.js';
import type { AskVersion } from '../domain/ports/programs.js';
import type { ReadRoles } from '../domain/ports/reviews.js';
import type { Stores } from '../domain/ports/stores.js';
import type { Clock, Ids, Log, Processes } from '../domain/ports/system.js';
import type { Worktrees } from '../domain/ports/worktrees.js';
import type { Workspace } from '../domain/workspace.js';
import type { Containment, HostParts } from '../host/host-parts.js';
import type { CredentialService } from '../host/secrets.js';
import type { VaultParts } from '../host/vault.js';
import type { LoadSchemas } from '../lib/json-schema.js';
import type { RunFacilities } from '../worker/facilities.js';
import type { ToolServers } from '../worker/tool-servers.js';
import type { LoadedPlugins } from './discovery/plugins.js';
import type { ScratchStore, StorePlace } from './open-stores.js';
import type { LogLines } from './terminal.js';

/** Calls to addresses that a file, a caller or a peer names, under the rules of this process. */
export interface Outbound {
  /** The rules are read with each request: a reload changes them. */
  readonly fetchOf: (workspace: string) => OutboundFetch;
  /** For what runs in a container of a run of the workspace. */
  readonly addressesOf: (workspace: string) => OutboundAddresses;
  /**
   * This process serves there; before, and in a process that serves nothing, whoever asks sits at
   * this machine.
   */
  readonly servesAt: (host: string) => void;
}

/** What contributions of one workspace have, and those of the process alone have not. */
export type WorkspaceSide = Pick<HostParts, 'secretsFor' | 'vaultOf' | 'outbound'>;

/** The plugin host of this process and the use cases around plugins. */
export interface Plugins {
  readonly app: PluginsApp;
  /** Created once, when something first asks for a contribution. */
  readonly host: () => Promise<PluginHost>;
  /** A host of its own for one workspace, whose credentials its contributions may ask for. */
  readonly openHost: (side?: WorkspaceSide) => Promise<PluginHost>;
  readonly close: () => Promise<void>;
}

/** Gives each run its servers: its own, or those that a serving process shares. */
export type OpenRunServers = () => Pick<RunFacilities, 'toolServer' | 'closeServers'>;

/**
 * The tool servers that runs of a process that serves or works share
 * (docs/tool-servers.md#when-a-server-runs).
 */
export interface SharedServers {
  /** False until the process serves or works: a run by itself has servers of its own. */
  isOn: boolean;
  /** Closed with the process, where no reload has closed them before. */
  readonly open: Set<ToolServers>;
}

/** Live parts of an opened workspace; one set serves every run of the process. */
export interface FacilityParts {
  readonly workspace: Workspace;
  readonly plugins: PluginHost;
  readonly credentials: CredentialService;
  readonly processes: Processes;
  readonly worktrees: Worktrees;
  /** The role files as they are now. */
  readonly readRoles: ReadRoles;
  readonly childEnv: Readonly<Record<string, string>>;
  readonly containers: NonNullable<RunFacilities['containers']>;
  readonly schemas: LoadSchemas;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes what models write, masked. */
  readonly onText: (jobId: string, piece: StreamedText) => void;
  readonly servers: OpenRunServers;
  readonly askVersion: AskVersion;
}

export interface OpenedFacilities extends Pick<RunSession, 'remoteTasks'> {
  readonly openFacilities: RunSession['openFacilities'];
  /** The tool servers alone, for who only looks at them. */
  readonly openServers: OpenRunServers;
  /** Closes what its runs share; who needs it later opens it anew. */
  readonly closeServers: () => Promise<void>;
}

/** Real parts that every session of this process shares. */
export interface SessionParts {
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** A plugin host whose contributions see the secrets of one workspace. */
  readonly openHost: (side?: WorkspaceSide) => Promise<PluginHost>;
  /** The plugin host of the process, for what needs no secret. */
  readonly host: () => Promise<PluginHost>;
  readonly openStores: (place: StorePlace) => Promise<Stores>;
  /** Null where nothing was ever run. */
  readonly openExisting: (place: StorePlace) => Promise<Stores | null>;
  readonly texts: Pick<TextFeed, 'publish'>;
  /** The way to addresses that files and peers name. */
  readonly outbound: Outbound;
  readonly sharedServers: SharedServers;
  /** By directory of the workspace: what a provider was found to take outlives a reload. */
  readonly limiters: Map<string, ModelLimiter>;
}

/** A session with the plugin host and the one credential service behind it. */
export interface BootSession extends RunSession, Pick<OpenedFacilities, 'openServers' | 'closeServers'> {
  readonly plugins: PluginHost;
  /**
   * Its plugins stay with the process, also when a reload has replaced it: what a server mounts and
   * who may call it are those of its start (docs/design/decisions.md#auth-once).
   */
  readonly keepPlugins: () => void;
  readonly credentials: CredentialService;
  /** What its plugins keep encrypted. */
  readonly vault: VaultParts;
  /** What its storage settings are resolved with. */
  readonly storageEnvironment: StorageEnvironment;
}

/** The stores of a workspace that nobody compiles. */
export interface WorkspaceStores {
  /** Null where nothing was ever run. Throws KIT_WORKSPACE_NOT_FOUND, KIT_STORE_*. */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
  /** What is remembered (`storage.memory`); null where nothing ever was. Throws the same. */
  readonly openMemory: (workspace: string) => Promise<MemoryStore | null>;
  /** Makes the store of `storage.fleet` where there is none. Throws the same. */
  readonly openFleet: (workspace: string) => Promise<FleetStore>;
}

/** What the runs of this process and the log have in common. */
export type EventsParts = Omit<
  EventsDeps,
  'random' | 'figures' | 'makeStores' | 'current' | 'openSink' | 'openListener'
> & {
  readonly sessionOf: (workspace: string) => Promise<BootSession>;
};

/**
 * What those stand on who only look: the store of a workspace, its fleet, and what this process
 * could claim of it.
 */
export type StoreReadDeps = ObserveDeps & FleetReadDeps;

/** Runs and workspaces of this process: what is opened once, and closed with the app. */
export interface Runs {
  readonly app: RunsApp;
  /** The same stores, clock and host for those who only look. */
  readonly observe: () => Promise<StoreReadDeps & Pick<WorkspaceStores, 'openMemory'>>;
  /** The session of a workspace, opened once. */
  readonly session: (workspace: string) => Promise<BootSession>;
  /** The same for the log. */
  readonly events: () => Promise<EventsParts>;
  /** The same for those who decide. */
  readonly review: () => Promise<ReviewDeps>;
  /** The same for a process that serves. */
  readonly serve: () => Promise<ServeDeps<BootSession>>;
  /** The same for one that works. */
  readonly work: () => Promise<WorkerDeps<BootSession>>;
  readonly validate: App['validateWorkspace'];
  readonly close: () => Promise<void>;
}

/** What the composition is made of. */
export interface AppParts {
  readonly plugins: LoadedPlugins;
  readonly settings: ProcessSettings;
  readonly env: NodeJS.ProcessEnv;
  /** What is done around code of plugins that are not kit's own. Absent: nothing. */
  readonly openContainment?: () => Promise<Containment>;
  /** Where the log of this process goes. */
  readonly logLines: Pick<LogLines, 'write'>;
  /** Runs that are thrown away: `kit doctor --crash`. Absent: the store of the workspace. */
  readonly scratch?: ScratchStore;
}

/** The use cases, and what others need who change the same files. */
export interface OpenedEditing {
  readonly editing: EditingApp;
  readonly deps: EditingDeps;
  readonly alone: Alone;
}
