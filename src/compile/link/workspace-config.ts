import type { Artifact } from '../../domain/artifact.js';
import type {
  AuditLevel,
  RoleRegistry,
  Storage,
  StoreBlock,
  Topology,
  Workspace as WorkspaceFile,
  WorkspaceGovernance,
} from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { Limits } from '../../domain/limits.js';
import { RESERVED_SCOPES } from '../../domain/scopes.js';
import type { ArtifactsBlock, StorageBlock, StorageSettings } from '../../domain/storage-settings.js';
import type { CredentialEntry, Workspace } from '../../domain/workspace.js';
import { numbersIn, objectAt, textAt } from '../read.js';
import { linkCompression } from './compression.js';
import { linkMemory } from './memory.js';
import { linkServers } from './servers.js';

/** Every scope that some role confers: people hold these, agents never. */
export const conferredScopes = (roles: readonly Artifact<RoleRegistry>[]): ReadonlySet<string> =>
  new Set(roles.flatMap(({ value }) => value.roles.flatMap((role) => role.scopes)));

/**
 * Level of the runs of a topology: its own, which a rule holds to be no weaker than one the
 * workspace writes, else the workspace's.
 */
export const topologyAuditLevel = (workspace: WorkspaceFile, topology: Topology): AuditLevel =>
  topology.artifacts?.audit?.level ?? auditLevel(workspace);

const auditLevel = ({ audit }: WorkspaceFile): AuditLevel => audit?.level ?? DEFAULTS['Workspace.audit'].level;

const UNWRITTEN: Limits = {
  maxStepsPerAgent: null,
  maxStepsPerRun: DEFAULTS.GovernanceLimits.max_steps_per_run,
  maxCostPerRunUsd: null,
  maxTokensPerRun: null,
  maxRemoteCalls: null,
};

/** Every key of the block is a limit: a new one is a member of `Limits`, and nothing here. */
const limits = ({ governance }: WorkspaceFile): Limits => ({
  ...UNWRITTEN,
  ...numbersIn(governance?.limits ?? null),
});

/**
 * `linked` still holds `${VAR}` in credential configuration. Also read on its own, as the storage
 * is.
 */
export const credentialEntries = ({ credentials = {} }: WorkspaceFile): ReadonlyMap<string, CredentialEntry> =>
  new Map(
    Object.entries(credentials).map(([name, { source, config, provider_id: providerId = null }]) => [
      name,
      { source, config, providerId },
    ]),
  );

function storageBlock(block: (StoreBlock & { readonly path?: string }) | undefined): StorageBlock | null {
  if (block === undefined) return null;
  const { backend = null, url = null, path } = block;
  return { backend, url, ...(path === undefined ? {} : { path }) };
}

function artifactsBlock(block: Storage['artifacts']): ArtifactsBlock | null {
  if (block === undefined) return null;
  const { backend = DEFAULTS['Storage.artifacts'].backend, path, database_url, provider_id, config, ...rest } = block;
  switch (backend) {
    case 's3':
      return { kind: 'plugin', plugin: 's3', config: rest };
    case 'filesystem':
      return { kind: 'plugin', plugin: 'filesystem', config: path === undefined ? {} : { path } };
    case 'plugin':
      return { kind: 'plugin', plugin: provider_id ?? '', config: config ?? {} };
    case 'database':
      return { kind: 'database', backend: null, url: database_url ?? null };
    case 'sqlite':
    case 'postgres':
      return { kind: 'database', backend, url: database_url ?? null };
  }
}

/** `storage.audit.retention_days`; null = not written. */
export const auditRetentionDays = ({ storage }: WorkspaceFile): number | null => storage?.audit?.retention_days ?? null;

/** `storage.audit.prune_every_hours`; null = not written, and no server removes anything. */
export const pruneEveryHours = ({ storage }: WorkspaceFile): number | null => storage?.audit?.prune_every_hours ?? null;

/**
 * Also read on its own: stop and checkpoints need the place of the runs and nothing else of a
 * workspace.
 */
export const storageSettings = ({ storage = {} }: WorkspaceFile): StorageSettings => ({
  runtime: storageBlock(storage.runtime),
  checkpoints: storageBlock(storage.checkpoints),
  audit: storageBlock(storage.audit),
  artifacts: artifactsBlock(storage.artifacts),
  memory: storageBlock(storage.memory),
  fleet: storageBlock(storage.fleet),
  knowledgeBases: storage.knowledge_bases?.default_backend ?? null,
});

/** The settings of `workspace.yaml` with their defaults, in the words of the engine. */
export function workspaceConfig(linked: WorkspaceFile, roles: readonly Artifact<RoleRegistry>[]) {
  const { id, name } = linked.metadata;
  const jobs = { ...DEFAULTS.ServerJobs, ...linked.server?.jobs };
  return {
    id,
    name,
    limits: limits(linked),
    governance: linkGovernance(linked.governance),
    auditLevel: auditLevel(linked),
    memory: linkMemory(linked),
    isMemoryWritten: linked.memory !== undefined,
    servers: linkServers(linked.mcp_servers),
    compression: linkCompression(linked.context_compression),
    autoResume: linked.gates?.auto_resume ?? DEFAULTS['Workspace.gates'].auto_resume,
    journalDays: linked.storage?.journal_days ?? DEFAULTS.Storage.journal_days,
    storage: storageSettings(linked),
    jobTimeoutMs: jobs.timeout_seconds * 1000,
    maxConcurrent: jobs.max_concurrent,
    credentials: credentialEntries(linked),
    humanScopes: new Set([...RESERVED_SCOPES, 'audit:*', ...conferredScopes(roles)]),
  } satisfies Partial<Workspace>;
}

/**
 * Who decides, by the name of a contribution. `custom` names a plugin's under `config.provider_id`,
 * which gets what stands under `config.config`. `agt` is told the policy language beside its own
 * configuration.
 */
function linkGovernance(written: WorkspaceGovernance | undefined): Workspace['governance'] {
  const { policy_language: language, config = {}, ...block } = { ...written };
  const required = {
    requireIdentifiedAuthor: block.require_identified_author ?? DEFAULTS.WorkspaceGovernance.require_identified_author,
    requireGates: block.require_gates ?? DEFAULTS.WorkspaceGovernance.require_gates,
  };
  switch (block.provider) {
    case 'agt':
      return {
        provider: 'agt',
        config: language === undefined ? config : { ...config, policy_language: language },
        ...required,
      };
    case 'custom':
      return { provider: textAt(config, 'provider_id') ?? '', config: objectAt(config, 'config') ?? {}, ...required };
    default:
      return { provider: 'mock', config, ...required };
  }
}
