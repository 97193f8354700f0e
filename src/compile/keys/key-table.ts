import { LABEL_KEYS, SCHEMA_KEYS } from '../generated/keys.js';
import type { KeyRow } from './key-row.js';

/**
 * Every key that a schema declares and that holds a value, with its state: what the schemas list
 * has an effect, but for labels. A test asks for the proof of each key in force. Containers have no
 * row: they are what their keys are.
 */
export const KEY_TABLE: readonly KeyRow[] = SCHEMA_KEYS.map((key) => ({
  key,
  state: 'in-force',
  ...(LABEL_KEYS.has(key) ? { isLabel: true } : {}),
}));
