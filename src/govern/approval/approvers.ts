import type { RoleDirectory } from '../../domain/gates.js';
import { peopleOf, personOf, roleCalled } from './people.js';

/** What is asked of a registry to know who is who. */
export type People = Pick<RoleDirectory, 'roles' | 'identities'>;

/**
 * The people behind ids of roles and names of persons, each once. A name that is not a role is that
 * of a person.
 */
export function approvingPeople(directory: People, approvers: readonly string[]): readonly string[] {
  const people = approvers.flatMap((name) => {
    const role = roleCalled(directory, name);
    return role === null ? [personOf(directory, name)] : peopleOf(directory, role);
  });
  return [...new Set(people)];
}
