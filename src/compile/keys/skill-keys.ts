import { described, inForce, type KeyRow } from './key-row.js';

export const SKILL_KEYS: readonly KeyRow[] = [
  ...described('Skill', false),
  ...inForce('Skill', ['metadata.description']),
  ...inForce('Skill', ['category', 'inputs', 'outputs', 'provenance.requires_runtime', 'iam.required_scopes']),
  ...inForce('Skill.audit', ['log_inputs', 'log_outputs', 'redact']),
  ...inForce('Skill.implementation', ['type']),
  ...inForce('Skill.implementation', ['prompt', 'pack', 'command']),
  ...inForce('Skill.implementation.model', ['', 'provider', 'name', 'temperature', 'max_output_tokens']),
  ...inForce('Skill.implementation.model', [
    'max_tokens',
    'effort',
    'options',
    'fallback.*.provider',
    'fallback.*.name',
    'fallback.*.options',
  ]),
  // A prompt has no tools: a rule says so of each use.
  ...inForce('Skill.implementation.model', ['tool_provider', 'tool_model', 'tool_choice', 'strict']),
  ...inForce('Skill.implementation', [
    'server',
    'tool',
    'arguments',
    'composes',
    'strategy',
    'strategy_class',
    'topology',
    'timeout_s',
    'permission',
    'effects',
  ]),
  ...inForce('Skill.implementation', ['card_url', 'skill_id', 'credentials_ref', 'on_in_doubt']),
  // Of an agent that runs elsewhere; a run of this workspace asks its people itself.
  ...inForce('Skill.implementation', ['on_unanswerable', 'max_agent_answers']),
  ...inForce('Skill.constraints', [
    'max_latency_ms',
    'timeout_seconds',
    'retry.attempts',
    'retry.backoff',
    'on_failure',
  ]),
];
