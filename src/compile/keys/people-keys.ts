import { described, inForce, type KeyRow, labels } from './key-row.js';

export const FUNNEL_KEYS: readonly KeyRow[] = [
  ...described('Funnel'),
  ...inForce('Funnel.validate', [
    'schema',
    'autocorrect',
    'slice_budget.max_diff_lines',
    'slice_budget.max_files',
    'cited_change',
  ]),
  ...inForce('Funnel.judge', ['skill', 'rubric', 'threshold', 'max_retries']),
  ...inForce('Funnel.review', ['archetype', 'read_scope', 'route_back_at']),
  ...inForce('Funnel.approve', [
    'rules.*.scope',
    'rules.*.roles',
    'rules.*.quorum',
    'rules.*.quorum.k-of',
    'rules.*.covers',
    'exclude_author',
    'on_revision',
    'min_distinct_approvers',
    'expires_after',
    'remind_before',
    'on_expiry',
    'escalate_to',
  ]),
];

export const ROLE_KEYS: readonly KeyRow[] = [
  ...inForce('RoleRegistry', ['apiVersion', 'kind']),
  ...labels('RoleRegistry', ['metadata.id', 'metadata.name', 'metadata.description']),
  ...inForce('RoleRegistry.roles.*', ['id', 'members', 'scopes']),
  ...inForce('RoleRegistry.identities.*', ['id', 'aliases']),
];

export const CONTRACT_KEYS: readonly KeyRow[] = [
  ...described('Contract'),
  ...inForce('Contract', ['parties']),
  ...labels('Contract', ['interface']),
];

export const TRIGGER_KEYS: readonly KeyRow[] = [
  ...inForce('Trigger', [
    'apiVersion',
    'kind',
    'metadata.id',
    'type',
    'enabled',
    'targets.*',
    'topology',
    'provider_id',
    'schedule',
    'secret',
    'config',
  ]),
  ...labels('Trigger', ['metadata.name', 'metadata.description']),
  ...inForce('Trigger.targets.*', ['pipeline', 'emit', 'correlation_id']),
  ...inForce('Trigger.config.auth', ['method', 'credentials_ref', 'header', 'repeats']),
];

export const EVAL_KEYS: readonly KeyRow[] = [
  ...inForce('EvalSet', ['apiVersion', 'kind', 'metadata.id', 'target', 'cases.*.id']),
  ...labels('EvalSet', ['metadata', 'metadata.description', 'provenance']),
  ...inForce('EvalSet.cases.*', ['input']),
  ...inForce('EvalSet.cases.*.expect', [
    'contains',
    'not_contains',
    'regex',
    'equals',
    'not_empty',
    'used_skills',
    'judge',
    'rubric',
    'min_confidence',
    'checks',
  ]),
];
