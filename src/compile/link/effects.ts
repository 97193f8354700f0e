import type { Effects, OnInDoubt } from '../../domain/journal.js';

const EFFECTS: readonly Effects[] = ['none', 'read', 'write', 'destructive', 'unknown'];
const CHOICES: readonly OnInDoubt[] = ['repeat', 'ask', 'fail'];

export const effectsOr = (text: string | null, otherwise: Effects): Effects =>
  EFFECTS.find((word) => word === text) ?? otherwise;

/**
 * What happens to a step in doubt: `ask` for destructive effects, else `repeat`, unless written
 * (docs/design/workspace.md#skill-defaults).
 */
export const onInDoubt = (text: string | null | undefined, effects: Effects): OnInDoubt =>
  CHOICES.find((word) => word === text) ?? (effects === 'destructive' ? 'ask' : 'repeat');
