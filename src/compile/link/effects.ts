import type { Effects, OnInDoubt } from '../../domain/journal.js';

/**
 * What happens to a step in doubt: `ask` for destructive effects, else `repeat`, unless written
 * (docs/design/workspace.md#skill-defaults).
 */
export const onInDoubt = (written: OnInDoubt | undefined, effects: Effects): OnInDoubt =>
  written ?? (effects === 'destructive' ? 'ask' : 'repeat');
