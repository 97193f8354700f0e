import { DIRECT_AUTH_KEYS, SIGN_IN_KEYS } from '../auth-keys.js';
import { inForce, type KeyRow, labels } from './key-row.js';

const BINDING = ['id', 'trigger', 'scope', 'required', 'enabled', 'config'];
const PROMOTE = ['min_runs', 'error_rate_below', 'drift_below', 'window_minutes'];

const STORAGE: readonly KeyRow[] = [
  ...inForce('Workspace.storage.runtime', ['backend', 'url']),
  ...inForce('Workspace.storage.checkpoints', ['backend', 'url', 'path']),
  ...inForce('Workspace.storage.audit', ['backend', 'url', 'retention_days']),
  ...inForce('Workspace.storage.artifacts', [
    'backend',
    'path',
    'bucket',
    'prefix',
    'endpoint',
    'region',
    'access_key_ref',
    'secret_key_ref',
    'database_url',
    'provider_id',
    'config',
  ]),
  ...inForce('Workspace.storage.knowledge_bases', ['default_backend']),
  ...inForce('Workspace.storage.memory', ['backend', 'url']),
  ...inForce('Workspace.storage.fleet', ['backend', 'url']),
  ...inForce('Workspace.storage', ['journal_days']),
];

const SERVER: readonly KeyRow[] = [
  ...inForce('Workspace.server', ['host', 'port', 'public_url', 'allowed_hosts']),
  ...inForce('Workspace.server.console', ['enabled']),
  ...inForce('Workspace.server.mcp', ['enabled', 'wait_seconds']),
  ...inForce('Workspace.server.a2a', [
    'enabled',
    'wait_seconds',
    'identity.name',
    'identity.description',
    'identity.url',
    'identity.organization',
  ]),
  ...inForce('Workspace.server.outbound', ['allow']),
  ...inForce('Workspace.server.signal', ['url', 'credentials_ref']),
  ...inForce('Workspace.server.canary', [
    'routes.*.topology',
    'routes.*.versions.*.version',
    'routes.*.versions.*.weight',
    ...PROMOTE.map((key) => `routes.*.promote_when.${key}`),
    ...PROMOTE.map((key) => `routes.*.versions.*.promote_when.${key}`),
  ]),
  ...inForce('Workspace.server.auth', ['provider', 'require_on_nonloopback', 'config', ...DIRECT_AUTH_KEYS]),
  ...inForce('Workspace.server.auth.config', [...DIRECT_AUTH_KEYS, ...SIGN_IN_KEYS]),
  ...inForce('Workspace.server.auth.config.keys.*', ['key_ref', 'client_id', 'client_name', 'tier', 'scopes']),
  ...inForce('Workspace.server.jobs', [
    'max_concurrent',
    'timeout_seconds',
    'recover',
    'shutdown_seconds',
    'lease_seconds',
  ]),
];

const COMMAND_PACKS: readonly KeyRow[] = [
  ...labels('Workspace.command_packs.*', ['description']),
  ...inForce('Workspace.command_packs.*', [
    'id',
    'requires.*.binary',
    'requires.*.version',
    'timeout_seconds',
    'timeout_overrides',
    'max_output_bytes',
    'cwd',
    'env',
    'credentials_ref',
    'permission',
    'permission_overrides',
  ]),
  ...inForce('Workspace.command_packs.*.commands.*', [
    'id',
    'argv',
    'description',
    'effects',
    'on_in_doubt',
    'output.parse',
  ]),
];

const MEMORY: readonly KeyRow[] = [
  ...inForce('Workspace.memory', [
    'enabled',
    'reader.max_results',
    'reader.similarity_threshold',
    'reader.search_scope',
    'reader.embedding.provider',
    'reader.embedding.model',
    'model.provider',
    'model.name',
    'writer.min_output_length',
  ]),
];

const COMPRESSION: readonly KeyRow[] = [
  ...inForce('Workspace.context_compression', ['backend', 'backend_class', 'min_bytes']),
  ...inForce('Workspace.context_compression.overrides.*', [
    'match',
    'match_server',
    'backend',
    'backend_class',
    'min_bytes',
  ]),
];

const GOVERNANCE: readonly KeyRow[] = [
  ...inForce('Workspace.governance', ['provider', 'policy_language', 'config']),
  ...inForce('Workspace.governance.limits', [
    'max_steps_per_agent',
    'max_steps_per_run',
    'max_cost_per_run_usd',
    'max_tokens_per_run',
    'max_remote_calls',
  ]),
  ...inForce('Workspace.governance', ['require_identified_author', 'require_gates']),
  ...inForce('Workspace.governance.decision_skills.*', BINDING),
];

export const WORKSPACE_KEYS: readonly KeyRow[] = [
  ...inForce('Workspace', ['apiVersion', 'kind', 'audit.level']),
  ...inForce('Workspace.metadata', ['id', 'name', 'description']),
  ...inForce('Workspace', ['metadata.annotations', 'organisation.id', 'organisation.name', 'team.id', 'team.name']),
  ...GOVERNANCE,
  ...inForce('Workspace.identity', ['provider', 'config']),
  ...inForce('Workspace.model_providers.*', ['class', 'provider_id', 'config']),
  ...inForce('Workspace.credentials.*', ['source', 'config', 'provider_id']),
  ...inForce('Workspace.mcp_servers.*', [
    'id',
    'source',
    'transport',
    'command',
    'endpoint',
    'env',
    'headers',
    'cwd',
    'credentials_ref',
    'sandboxed',
    'sandbox_image',
    'sandbox_allow',
    'sandbox_resources.cpus',
    'sandbox_resources.memory',
    'sandbox_resources.pids',
    'permission',
    'permission_overrides',
    'effects',
    'on_in_doubt',
  ]),
  ...COMMAND_PACKS,
  ...STORAGE,
  ...COMPRESSION,
  ...inForce('Workspace.planning', ['scope_required', 'two_phase', 'synthesis_roles', 'synthesizer_role']),
  ...inForce('Workspace.synthesis', ['provider', 'model', 'prompt']),
  ...MEMORY,
  ...inForce('Workspace.events.*', ['sink', 'url', 'credentials_ref', 'types', 'provider_id', 'config']),
  ...inForce('Workspace.gates', ['auto_resume']),
  ...SERVER,
];
