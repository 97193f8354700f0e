import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import type { Limits } from '../../domain/limits.js';
import type { AuditLevel } from '../../domain/linked-skill.js';
import { RESERVED_SCOPES } from '../../domain/scopes.js';
import type { ArtifactsBlock, StorageBlock, StorageSettings } from '../../domain/storage-settings.js';
import type { CredentialEntry, Workspace } from '../../domain/workspace.js';
import { flagAt, numberAt, numbersIn, objectAt, objectIn, objectsAt, textAt, textsAt } from '../read.js';
import { linkCompression } from './compression.js';
import { linkGovernance } from './governance.js';
import { linkMemory } from './memory.js';
import type { Art } from './registries.js';
import { linkServers } from './servers.js';

const LEVELS: readonly AuditLevel[] = ['minimal', 'standard', 'detailed'];

/** Every scope that some role confers: people hold these, agents never. */
export const conferredScopes = (roles: readonly Art[]): ReadonlySet<string> =>
  new Set(roles.flatMap((registry) => objectsAt(registry.value, 'roles').flatMap((role) => textsAt(role, 'scopes'))));

const levelAt = (holder: JsonObject | null): AuditLevel | null =>
  LEVELS.find((level) => level === textAt(objectAt(holder, 'audit'), 'level')) ?? null;

/** `audit.level` as it is written in a workspace; null = nothing is. */
export const writtenAuditLevel = (workspace: JsonObject): AuditLevel | null => levelAt(workspace);

/**
 * Level of the runs of a topology: its own, which a rule holds to be no weaker than one the
 * workspace writes, else the workspace's.
 */
export const topologyAuditLevel = (workspace: JsonObject, topology: JsonObject): AuditLevel =>
  levelAt(objectAt(topology, 'artifacts')) ?? auditLevel(workspace);

const auditLevel = (workspace: JsonObject): AuditLevel => levelAt(workspace) ?? DEFAULTS['Workspace.audit'].level;

const UNWRITTEN: Limits = {
  maxStepsPerAgent: null,
  maxStepsPerRun: DEFAULTS.GovernanceLimits.max_steps_per_run,
  maxCostPerRunUsd: null,
  maxTokensPerRun: null,
  maxRemoteCalls: null,
};

/** Every key of the block is a limit: a new one is a member of `Limits`, and nothing here. */
const limits = (workspace: JsonObject): Limits => ({
  ...UNWRITTEN,
  ...numbersIn(objectIn(workspace, 'governance', 'limits')),
});

/**
 * `linked` still holds `${VAR}` in credential configuration. Also read on its own, as the storage
 * is.
 */
export function credentialEntries(linked: JsonObject): ReadonlyMap<string, CredentialEntry> {
  const block = objectAt(linked, 'credentials');
  return new Map(
    Object.keys(block ?? {}).map((name): [string, CredentialEntry] => {
      const entry = objectAt(block, name);
      return [
        name,
        {
          source: textAt(entry, 'source') ?? '',
          config: objectAt(entry, 'config') ?? {},
          providerId: textAt(entry, 'provider_id'),
        },
      ];
    }),
  );
}

const BACKENDS = ['sqlite', 'postgres'] as const;

const engineAt = (block: JsonObject | null, key: string): 'sqlite' | 'postgres' | null =>
  BACKENDS.find((backend) => backend === textAt(block, key)) ?? null;

function storageBlock(storage: JsonObject | null, name: string): StorageBlock | null {
  const block = objectAt(storage, name);
  if (block === null) return null;
  const path = textAt(block, 'path');
  return { backend: engineAt(block, 'backend'), url: textAt(block, 'url'), ...(path === null ? {} : { path }) };
}

const S3_KEYS = ['bucket', 'prefix', 'endpoint', 'region', 'access_key_ref', 'secret_key_ref'];

const filesAt = (path: string | null): JsonObject => (path === null ? {} : { path });

function artifactsBlock(storage: JsonObject | null): ArtifactsBlock | null {
  const block = objectAt(storage, 'artifacts');
  if (block === null) return null;
  const backend = textAt(block, 'backend');
  if (backend === 's3') {
    const config = Object.fromEntries(Object.entries(block).filter(([key]) => S3_KEYS.includes(key)));
    return { kind: 'plugin', plugin: 's3', config };
  }
  if (backend === 'filesystem') return { kind: 'plugin', plugin: 'filesystem', config: filesAt(textAt(block, 'path')) };
  if (backend === 'plugin')
    return { kind: 'plugin', plugin: textAt(block, 'provider_id') ?? '', config: objectAt(block, 'config') ?? {} };
  return { kind: 'database', backend: engineAt(block, 'backend'), url: textAt(block, 'database_url') };
}

/** `storage.audit.retention_days`; null = not written. */
export const auditRetentionDays = (workspace: JsonObject): number | null =>
  numberAt(objectIn(workspace, 'storage', 'audit'), 'retention_days');

/** `storage.audit.prune_every_hours`; null = not written, and no server removes anything. */
export const pruneEveryHours = (workspace: JsonObject): number | null =>
  numberAt(objectIn(workspace, 'storage', 'audit'), 'prune_every_hours');

/**
 * Also read on its own: stop and checkpoints need the place of the runs and nothing else of a
 * workspace.
 */
export function storageSettings(workspace: JsonObject): StorageSettings {
  const storage = objectAt(workspace, 'storage');
  return {
    runtime: storageBlock(storage, 'runtime'),
    checkpoints: storageBlock(storage, 'checkpoints'),
    audit: storageBlock(storage, 'audit'),
    artifacts: artifactsBlock(storage),
    memory: storageBlock(storage, 'memory'),
    fleet: storageBlock(storage, 'fleet'),
    knowledgeBases: engineAt(objectAt(storage, 'knowledge_bases'), 'default_backend'),
  };
}

type Config = Pick<
  Workspace,
  | 'id'
  | 'name'
  | 'limits'
  | 'governance'
  | 'auditLevel'
  | 'memory'
  | 'isMemoryWritten'
  | 'servers'
  | 'compression'
  | 'autoResume'
  | 'journalDays'
  | 'storage'
  | 'jobTimeoutMs'
  | 'maxConcurrent'
  | 'credentials'
  | 'humanScopes'
>;

/** The settings of `workspace.yaml` with their defaults, in the words of the engine. */
export function workspaceConfig(linked: JsonObject, roles: readonly Art[]): Config {
  const metadata = objectAt(linked, 'metadata');
  const jobs = objectIn(linked, 'server', 'jobs');
  return {
    id: textAt(metadata, 'id') ?? '',
    name: textAt(metadata, 'name') ?? '',
    limits: limits(linked),
    governance: linkGovernance(linked),
    auditLevel: auditLevel(linked),
    memory: linkMemory(linked),
    isMemoryWritten: objectAt(linked, 'memory') !== null,
    servers: linkServers(linked),
    compression: linkCompression(linked),
    autoResume: flagAt(objectAt(linked, 'gates'), 'auto_resume') ?? DEFAULTS['Workspace.gates'].auto_resume,
    journalDays: numberAt(objectAt(linked, 'storage'), 'journal_days') ?? DEFAULTS.Storage.journal_days,
    storage: storageSettings(linked),
    jobTimeoutMs: (numberAt(jobs, 'timeout_seconds') ?? DEFAULTS.ServerJobs.timeout_seconds) * 1000,
    maxConcurrent: numberAt(jobs, 'max_concurrent') ?? DEFAULTS.ServerJobs.max_concurrent,
    credentials: credentialEntries(linked),
    humanScopes: new Set([...RESERVED_SCOPES, 'audit:*', ...conferredScopes(roles)]),
  };
}
