import { type Interpolated, interpolateText, type Lookup } from '../../lib/interpolate-text.js';
import type { Properties } from './properties.js';

/** Names whose values are taken for secrets without being listed. */
const SECRET_NAME = /key|token|secret|password|credential/i;

/** True for a name that people give to secrets. */
export const looksSecret = (name: string): boolean => SECRET_NAME.test(name);

/**
 * Where names get their values: property file, then environment. Also expands late-bound text at
 * the point of use.
 */
export interface References {
  readonly lookup: Lookup;
  resolve(text: string): Interpolated;
  /** `declared`: listed under `secrets` of the property file; `likely`: its name says so. */
  secrecyOf(name: string): 'declared' | 'likely' | 'none';
  /**
   * Values to mask wherever text is shown; short ones are left out, they would blacken ordinary
   * words.
   */
  secretValues(names: Iterable<string>): readonly string[];
}

const SHORTEST_MASKED = 4;

export function makeReferences(properties: Properties, environment: Lookup): References {
  const lookup: Lookup = (name) => properties.values.get(name) ?? environment(name);
  const secrecyOf = (name: string): 'declared' | 'likely' | 'none' => {
    if (properties.secrets.has(name)) return 'declared';
    return looksSecret(name) ? 'likely' : 'none';
  };
  return {
    lookup,
    resolve: (text) => interpolateText(text, lookup),
    secrecyOf,
    secretValues(names) {
      const values = [...names].filter((name) => secrecyOf(name) !== 'none').map((name) => lookup(name) ?? '');
      return [...new Set(values)].filter((value) => value.length >= SHORTEST_MASKED);
    },
  };
}
