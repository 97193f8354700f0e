import satisfies from 'semver/functions/satisfies.js';
import type { Json, JsonObject } from '../../domain/json.js';

/** What an adapter says of the versions of its program that it was seen to hold with. */
export interface Verified {
  /** The program that is asked; null = the one that is launched. */
  readonly program: string | null;
  /** A semver range. */
  readonly range: string;
}

/** `verified` of an adapter; null = it says nothing. */
export function verifiedOf(spec: JsonObject): Verified | null {
  const { verified } = spec as { readonly verified?: Json };
  if (typeof verified !== 'object' || verified === null || Array.isArray(verified)) return null;
  const { program, range } = verified as JsonObject;
  if (typeof range !== 'string') return null;
  return { program: typeof program === 'string' ? program : null, range };
}

/** A version as three numbers and what follows: the first in what a program says of itself. */
const VERSION = /(?<![\d.])\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,40})?/;

/** The version in what a program says of itself; null = there is none. */
export const semverIn = (said: string): string | null => VERSION.exec(said.slice(0, 500))?.[0] ?? null;

/**
 * Why what is installed is not what was verified, in words; null = it is, or nothing is said of it.
 *
 * @param said what the program says of itself; null = nothing
 */
export function unverified(verified: Verified | null, said: string | null): string | null {
  if (verified === null) return null;
  const version = said === null ? null : semverIn(said);
  if (version === null) return `its version is not known, and the adapter was verified with ${verified.range}`;
  if (satisfies(version, verified.range, { includePrerelease: true })) return null;
  return `${version} is installed, and the adapter was verified with ${verified.range}`;
}
