import { isObject, type Json } from '@kit-run/kit/plugin';
import { own, sameJson } from '../shared/json.js';
import type { Found } from './node.js';
import { pathOf } from './node.js';

export type Lookup =
  | { readonly kind: 'found'; readonly node: Found }
  | { readonly kind: 'none' }
  /** Several values at the same depth that differ: choosing one would be a guess. */
  | { readonly kind: 'ambiguous'; readonly places: readonly string[] };

/**
 * The value of the nearest property of this name, level by level below the scope. Lists are not
 * entered: which of their members would be meant? A value that the schema there cannot use is no
 * match.
 */
export function nearest(name: string, scope: Found, isUsable: (value: Json) => boolean): Lookup {
  let level: readonly Found[] = [scope];
  while (level.length > 0) {
    const matches = level.flatMap((node) => {
      const value = isObject(node.value) ? own(node.value, name) : undefined;
      return value !== undefined && isUsable(value) ? [{ value, location: [...node.location, name] }] : [];
    });
    const [first] = matches;
    if (first !== undefined) {
      const isOne = matches.every((match) => sameJson(match.value, first.value));
      return isOne
        ? { kind: 'found', node: first }
        : { kind: 'ambiguous', places: matches.map((match) => pathOf(match.location)) };
    }
    level = level.flatMap(membersOf);
  }
  return { kind: 'none' };
}

function membersOf(node: Found): Found[] {
  if (!isObject(node.value)) return [];
  return Object.entries(node.value).flatMap(([key, value]) =>
    isObject(value) ? [{ value, location: [...node.location, key] }] : [],
  );
}
