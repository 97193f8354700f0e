import { isKitError } from '../../domain/errors.js';
import { NO_ROLES, type RoleDirectory } from '../../domain/gates.js';
import type { GateDetails } from '../../view/gate-details.js';

/** The registry for who only looks. */
export interface ShownRoles {
  readonly roles: RoleDirectory;
  /** Why nobody can decide now: a role file has an error. Null = the registry is whole. */
  readonly broken: string | null;
}

/**
 * What is stored of a gate needs no registry: whoever looks at it while somebody edits a role file
 * sees it, without who may sign. Deciding asks the registry itself, and is refused then.
 */
export async function rolesToShow(readRoles: () => Promise<RoleDirectory>): Promise<ShownRoles> {
  try {
    return { roles: await readRoles(), broken: null };
  } catch (error) {
    if (!isKitError(error) || error.code !== 'KIT_WORKSPACE_INVALID') throw error;
    return { roles: NO_ROLES, broken: error.message };
  }
}

/** A gate as the registry allows to show it: with a broken one nobody is named who could act. */
export function shownGate<T extends GateDetails | null>(gate: T, { broken }: ShownRoles): T {
  if (gate === null || broken === null) return gate;
  const isOpen = !gate.resolved && !gate.withdrawn;
  return { ...gate, actors: [], stuck: [], halted: gate.halted ?? (isOpen ? broken : null) };
}
