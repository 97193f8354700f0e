import { foldName } from '../../lib/fold-name.js';
import { largestMatching } from './matching.js';
import { distinctPeople } from './people.js';

/** How far the floor of a round is: who has signed, and who may complete what is still open. */
export interface FloorReach {
  readonly floor: number;
  /** People with a counted approval. */
  readonly signed: readonly string[];
  readonly open: readonly { readonly itemId: string; readonly people: readonly string[] }[];
}

/**
 * True when after this approval too few different people can sign, each of them an open task of
 * their own.
 */
export function wouldLeaveTooFew(reach: FloorReach, itemId: string, person: string): boolean {
  const { floor, signed, open } = reach;
  const after = { floor, signed: [...signed, person], open: open.filter((task) => task.itemId !== itemId) };
  return mostSigners(after) < floor;
}

/** At most so many different people can have signed in the end. */
function mostSigners({ signed, open }: FloorReach): number {
  const done = new Set(signed.map(foldName));
  const others = open.map(({ people }) => people.map(foldName).filter((person) => !done.has(person)));
  return distinctPeople(signed).length + largestMatching(others);
}
