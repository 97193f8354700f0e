import type { RoleDirectory } from '../domain/gates.js';
import type { Submitter } from '../domain/job.js';

/** The identity of a request that nobody signed. */
const ANONYMOUS = new Set(['', 'anonymous']);

/**
 * Whether it is known which person submitted a run, so that a gate can exclude them (DESIGN section 11): not for an anonymous
 * author, and not for one only asserted whose name stands nowhere in the role registry, neither as a member of a role nor among
 * the identities.
 */
export function isAuthorIdentified(submitter: Submitter, directory: Pick<RoleDirectory, 'roles' | 'identities'>): boolean {
  const { identity, assurance } = submitter;
  if (ANONYMOUS.has(identity)) return false;
  if (assurance !== 'asserted') return true;
  return (
    directory.roles.some((role) => role.members.includes(identity)) ||
    directory.identities.some((person) => person.id === identity || person.aliases.includes(identity))
  );
}
