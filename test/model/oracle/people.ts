// The oracle's reading of a registry (docs/design/decisions.md#author). Shares no code with the
// engine.
import type { RoleDirectory } from '../../../src/domain/gates.js';

interface Seat {
  readonly members: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
}

/**
 * A registry as sets of persons: names that `identities` puts together are one person, any other
 * name is a person of its own.
 */
export interface People {
  readonly names: ReadonlyMap<string, string>;
  readonly seats: ReadonlyMap<string, Seat>;
}

export const personOf = (people: People, name: string): string => people.names.get(name) ?? name;

export function readPeople(directory: RoleDirectory): People {
  const names = new Map(
    directory.identities.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => [name, id] as const)),
  );
  const seats = directory.roles.map(
    ({ id, members, scopes }) =>
      [id, { members: new Set(members.map((name) => names.get(name) ?? name)), scopes: new Set(scopes) }] as const,
  );
  return { names, seats: new Map(seats) };
}

/**
 * Who submitted the run. A gate that excludes its author knows a person, or knows that it does not
 * know one.
 */
export interface Author {
  readonly identity: string;
  readonly assurance: 'authenticated' | 'asserted' | 'system';
}

/**
 * "An anonymous author, or one only asserted who maps to no identity of the registry, is shown as
 * `author not identified`."
 */
export const isIdentified = (people: People, author: Author): boolean =>
  author.identity !== 'anonymous' && (author.assurance !== 'asserted' || people.names.has(author.identity));
