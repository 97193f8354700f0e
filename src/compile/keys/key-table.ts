import { ARCHETYPE_KEYS, TOPOLOGY_KEYS } from './agent-keys.js';
import { ADAPTER_KEYS, PROVIDER_KEYS } from './execution-keys.js';
import type { KeyRow } from './key-row.js';
import { CONTRACT_KEYS, EVAL_KEYS, FUNNEL_KEYS, ROLE_KEYS, TRIGGER_KEYS } from './people-keys.js';
import { SKILL_KEYS } from './skill-keys.js';
import { WORKSPACE_KEYS } from './workspace-keys.js';

/**
 * Every key that a schema declares and that holds a value, with its state. A test derives the keys
 * from `schemas/kinds` and fails on a key without a row and on a row without a key; another asks
 * for the proof of each row in force. Containers have no row: they are what their keys are.
 */
export const KEY_TABLE: readonly KeyRow[] = [
  ...WORKSPACE_KEYS,
  ...TOPOLOGY_KEYS,
  ...ARCHETYPE_KEYS,
  ...SKILL_KEYS,
  ...FUNNEL_KEYS,
  ...ROLE_KEYS,
  ...CONTRACT_KEYS,
  ...TRIGGER_KEYS,
  ...ADAPTER_KEYS,
  ...PROVIDER_KEYS,
  ...EVAL_KEYS,
];
