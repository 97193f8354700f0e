import { oneLine } from './words.js';

const SHOWN = 3;

/** `a, b, c and 4 more`: the first few names of a list that may be long. */
export function fewOf(names: readonly string[]): string {
  const rest = names.length - SHOWN;
  return `${oneLine(names.slice(0, SHOWN).join(', '), 200)}${rest > 0 ? ` and ${rest} more` : ''}`;
}
