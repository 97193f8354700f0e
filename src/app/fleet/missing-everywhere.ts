import type { SeenMember } from '../../domain/ports/fleet.js';
import type { WaitingKind } from '../../domain/ports/serving.js';
import { type Claimant, lacking } from '../runs/blocked-by.js';

const NOBODY = 'no server or worker is alive that claims runs';

/**
 * Those of a fleet that claim: neither an api process, nor one that drains, nor one that has fallen
 * silent.
 */
export const claimantsOf = (members: readonly SeenMember[]): readonly Claimant[] =>
  members.filter(({ isAlive, concurrency }) => isAlive && concurrency > 0);

/**
 * Why none of these can claim such a job: what the one lacks that comes nearest, one clause each.
 * Empty: at least one of them can. What they lack together is not said: it may be that each has a
 * part, and then no single clause would be true.
 */
export function missingEverywhere(job: WaitingKind, claimants: readonly Claimant[]): readonly string[] {
  const [nearest] = claimants.map((claimant) => lacking(job, claimant)).toSorted((a, b) => a.length - b.length);
  return nearest ?? [NOBODY];
}
