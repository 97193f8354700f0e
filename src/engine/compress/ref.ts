import { sha256Hex } from '../../lib/sha256.js';

/** Tool by which a model gets what was left out of a result. */
export const RETRIEVE = 'context_retrieve';

const NAME_CHARS = 40;

/**
 * Names the result of one call: `<tool>-<12 hex of its step key>`. The same after a resume and
 * after a crash.
 */
export function refOf(tool: string, stepKey: string): string {
  const name = tool
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '-')
    .slice(0, NAME_CHARS);
  return `${name}-${sha256Hex(stepKey).slice(0, 12)}`;
}
