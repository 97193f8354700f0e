import { isKitError } from '../../domain/errors.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { FrozenTopology, RunSnapshot } from '../../domain/snapshot.js';

type Children = NonNullable<RunSnapshot['children']>;

/** Topologies of this workspace that these skills ask for runs of. */
export const askedTopologies = (skills: readonly LinkedSkill[]): readonly string[] => [
  ...new Set(
    skills.flatMap(({ implementation }) => (implementation.type === 'agent' ? (implementation.topology ?? []) : [])),
  ),
];

/**
 * Every topology that a run may ask for, at any depth; null = none. One that cannot run is no
 * reason to refuse its caller, whose agent may never call it: why it cannot is kept, and is what
 * such a call fails with.
 */
export async function frozenTopologies(
  skills: readonly LinkedSkill[],
  freeze: (name: string) => Promise<FrozenTopology>,
): Promise<Children | null> {
  const found = new Map<string, FrozenTopology>();
  const names = new Set(askedTopologies(skills));
  // A set is walked in order of insertion, what is added on the way included: topologies may ask
  // for each other.
  for (const name of names) {
    const frozen = await freeze(name).catch(refusedBy);
    found.set(name, frozen);
    for (const below of belowOf(frozen)) names.add(below);
  }
  return found.size === 0 ? null : Object.fromEntries(found);
}

/** Of what a caller has frozen, what a run below it can ask for. */
export function reachedFrom(children: Children, skills: readonly LinkedSkill[]): Children | null {
  const names = new Set(askedTopologies(skills));
  for (const name of names) for (const below of belowOf(children[name])) names.add(below);
  const reached = Object.entries(children).filter(([name]) => names.has(name));
  return reached.length === 0 ? null : Object.fromEntries(reached);
}

const belowOf = (frozen: FrozenTopology | undefined): readonly string[] =>
  frozen === undefined || 'refused' in frozen ? [] : askedTopologies(Object.values(frozen.snapshot.skills));

function refusedBy(error: unknown): FrozenTopology {
  if (!isKitError(error)) throw error;
  return { refused: { code: error.code, message: error.message } };
}
