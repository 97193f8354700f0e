import type { RoleDirectory } from '../../domain/gates.js';
import { ANONYMOUS, type Submitter } from '../../domain/job.js';
import { foldName } from '../../lib/fold-name.js';

type Role = RoleDirectory['roles'][number];

/**
 * The person behind a name: the id of the identity that is called so or has it as an alias, else
 * the name itself. Exact comparison.
 */
export function personOf(directory: Pick<RoleDirectory, 'identities'>, name: string): string {
  for (const identity of directory.identities)
    if (identity.id === name || identity.aliases.includes(name)) return identity.id;
  return name;
}

/** Every name of the person who is called so; this one comes first. */
export function namesOf(directory: Pick<RoleDirectory, 'identities'>, name: string): readonly string[] {
  const known = directory.identities.find(({ id, aliases }) => id === name || aliases.includes(name));
  return [...new Set([name, ...(known === undefined ? [] : [known.id, ...known.aliases])])];
}

/**
 * Whether two names may be one person's: compared without case and in one normal form, because
 * issuers pass on what somebody typed. Authors are excluded and signers counted by this alone;
 * membership goes by the exact name.
 */
export const isSamePerson = (directory: Pick<RoleDirectory, 'identities'>, a: string, b: string): boolean =>
  foldedPerson(directory, a) === foldedPerson(directory, b);

function foldedPerson(directory: Pick<RoleDirectory, 'identities'>, name: string): string {
  const folded = foldName(name);
  const isCalledSo = (other: string): boolean => foldName(other) === folded;
  const known = directory.identities.find(({ id, aliases }) => isCalledSo(id) || aliases.some(isCalledSo));
  return foldName(known?.id ?? name);
}

/** The people behind these names, one of each, as they were first spelt. */
export const distinctPeople = (people: readonly string[]): readonly string[] =>
  [...new Map(people.map((person) => [foldName(person), person] as const).reverse()).values()].reverse();

/** The role with this id; null when no registry defines it. */
export const roleCalled = (directory: Pick<RoleDirectory, 'roles'>, id: string): Role | null =>
  directory.roles.find((role) => role.id === id) ?? null;

/** True when one of the role's members is this person, under whatever name. */
export const isMember = (directory: RoleDirectory, role: Role, person: string): boolean =>
  role.members.some((member) => personOf(directory, member) === person);

/** People of a role, each once, in the order of the registry. */
export const peopleOf = (directory: Pick<RoleDirectory, 'identities'>, role: Role): readonly string[] => [
  ...new Set(role.members.map((member) => personOf(directory, member))),
];

/**
 * `approvals:resolve` comes from membership alone (docs/design/decisions.md#membership): of any
 * role.
 */
export const holdsAnyRole = (directory: RoleDirectory, person: string): boolean =>
  directory.roles.some((role) => isMember(directory, role, person));

/** Who submitted a run, as a gate sees it now. */
export interface Author {
  readonly identity: string;
  /** What the identity maps to in the live registry. */
  readonly person: string;
  readonly assurance: Submitter['assurance'];
  readonly clientName?: string;
  /**
   * False: nobody knows who wrote it. That is so for an anonymous author, and for one whose name
   * was only asserted and stands nowhere in the registry, neither among its identities nor among
   * the members of a role. A trigger is known, and is not a person.
   */
  readonly identified: boolean;
  /** The sentence that gate, review and proof show; null for an identified author. */
  readonly note: string | null;
}

/** The author of a run by the live registry (docs/design/decisions.md#author). */
export function authorOf(submitter: Submitter, directory: RoleDirectory): Author {
  const { identity, assurance, clientName } = submitter;
  const person = personOf(directory, identity);
  const isNamed = identity !== '' && identity !== ANONYMOUS && person !== ANONYMOUS;
  const identified = isNamed && (assurance !== 'asserted' || isListed(directory, identity, person));
  const named = clientName === undefined ? {} : { clientName };
  return { identity, person, assurance, ...named, identified, note: identified ? null : 'author not identified' };
}

const isListed = (directory: RoleDirectory, identity: string, person: string): boolean =>
  directory.identities.some((entry) => entry.id === identity || entry.aliases.includes(identity)) ||
  holdsAnyRole(directory, person);
