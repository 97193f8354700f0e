import { roleDirectory } from '../../compile/link/role-directory.js';
import { KitError } from '../../domain/errors.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import type { Workspace } from '../../domain/workspace.js';
import { unenforceable } from '../../govern/approval/enforceable.js';

/** A funnel whose gate nobody could be asked about, by the registry as it was loaded. */
export interface OpenFunnel {
  readonly funnel: string;
  /** A clause that stands alone. */
  readonly why: string;
}

/** Funnels whose `approve` layer cannot be enforced: their runs would go on unreviewed. */
export function openFunnels(
  workspace: Pick<Workspace, 'roles'>,
  funnels: readonly LinkedFunnel[],
): readonly OpenFunnel[] {
  const directory = roleDirectory(workspace.roles);
  return funnels.flatMap(({ id, approve }) => {
    const why = unenforceable(approve, directory);
    return why === null ? [] : [{ funnel: id, why }];
  });
}

/**
 * Where the workspace requires its gates (`governance.require_gates`), nothing begins that would
 * pass one unasked. Throws KIT_GATE_NOT_ENFORCEABLE.
 */
export function assertGatesEnforced(
  workspace: Pick<Workspace, 'roles' | 'governance'>,
  topology: string,
  funnels: readonly LinkedFunnel[],
): void {
  if (!workspace.governance.requireGates) return;
  const [first] = openFunnels(workspace, funnels);
  if (first === undefined) return;
  throw new KitError(
    'KIT_GATE_NOT_ENFORCEABLE',
    `nobody could be asked about the gate ${first.funnel} of ${topology}: ${first.why}`,
    { data: { topology, funnel: first.funnel } },
  );
}
