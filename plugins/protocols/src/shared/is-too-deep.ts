import type { Json } from '@kit-run/kit/plugin';

/**
 * Levels of a message: those that an input may have (200), and those around it. What
 * checks a message calls itself for each level, and a body of brackets alone would end its stack.
 */
const MAX_LEVELS = 240;

/**
 * Whether a message is nested deeper than any that is meant. Told level by level, without a stack.
 */
export function isTooDeep(message: Json | undefined): boolean {
  let level: readonly (Json | undefined)[] = [message];
  for (let depth = 0; depth <= MAX_LEVELS; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}
