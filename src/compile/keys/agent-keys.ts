import { described, inForce, type KeyRow, labels } from './key-row.js';

const MODEL = [
  '',
  'provider',
  'name',
  'temperature',
  'max_output_tokens',
  'max_tokens',
  'effort',
  'tool_choice',
  'strict',
  'fallback.*.provider',
  'fallback.*.name',
  'fallback.*.options',
  'tool_provider',
  'tool_model',
  'options',
];
const PROMPT = ['', 'system', 'persona'];
const IAM = ['base_scope', 'elevated_scopes'];
const BINDING = ['id', 'trigger', 'scope', 'required', 'enabled', 'config'];

const intent = (base: string): readonly KeyRow[] => inForce(base, ['enabled', 'threshold', 'on_drift']);

const AGENT = 'Topology.agents.*';

const AGENT_KEYS: readonly KeyRow[] = [
  ...inForce(AGENT, [
    'id',
    'role',
    'archetype',
    'description',
    'skills',
    'skills_additional',
    'requires',
    'output_schema',
    'children',
    'depends_on',
    'funnel',
  ]),
  ...inForce(`${AGENT}.model`, MODEL),
  ...inForce(`${AGENT}.prompt`, PROMPT),
  ...inForce(`${AGENT}.iam`, IAM),
  ...intent(`${AGENT}.intent_monitoring`),
];

export const TOPOLOGY_KEYS: readonly KeyRow[] = [
  ...inForce('Topology', [
    'apiVersion',
    'kind',
    'metadata.name',
    'metadata.version',
    'metadata.description',
    'input_schema',
    'output_schema',
    'locks',
  ]),
  ...AGENT_KEYS,
  ...inForce('Topology.runtime', [
    'mode',
    'max_concurrent_tasks',
    'task_timeout_seconds',
    'checkpointing',
    'checkpointing.storage',
  ]),
  ...inForce('Topology.runtime.planning', ['scope_required', 'two_phase', 'synthesis_roles', 'synthesizer_role']),
  ...inForce('Topology.runtime.synthesis', ['provider', 'model', 'prompt']),
  ...inForce('Topology.artifacts.knowledge_bases.*', ['id', 'path', 'include', 'storage']),
  ...inForce('Topology.artifacts.review_queues.*', ['id', 'storage']),
  ...inForce('Topology.artifacts.audit', ['level', 'storage', 'retention_days']),
  ...inForce('Topology.artifacts.skill_gap_logging', ['enabled', 'surface_threshold']),
  ...intent('Topology.intent_monitoring'),
  ...inForce('Topology.governance.decision_skills.*', BINDING),
];

export const ARCHETYPE_KEYS: readonly KeyRow[] = [
  ...described('Archetype', false),
  ...inForce('Archetype', ['metadata.description']),
  ...labels('Archetype', ['role']),
  ...inForce('Archetype', ['defaults.output_schema', 'defaults.skills.*', 'skills.*']),
  ...inForce('Archetype.defaults.skills.*.abstract', ['category', 'capability']),
  ...inForce('Archetype.skills.*.abstract', ['category', 'capability']),
  ...inForce('Archetype.defaults.model', MODEL),
  ...inForce('Archetype.defaults.prompt', PROMPT),
  ...inForce('Archetype.defaults.iam', IAM),
  ...inForce('Archetype.executor', ['', 'kind', 'ref', 'config', 'on_in_doubt', 'version_constraint']),
];
