import type { ReviewState, RoleDirectory } from '../../domain/gates.js';
import { gateReading } from '../../govern/approval/gate-reading.js';
import type { GateDetails } from '../../view/gate-details.js';

/**
 * A gate in its newest round as CLI and HTTP show it, by the registry as it is now; null for an
 * unknown gate.
 */
export function gateDetails(state: ReviewState, gateId: string, roles: RoleDirectory): GateDetails | null {
  const reading = gateReading(state, gateId, roles);
  if (reading === null) return null;
  const { open, items, ...rest } = reading;
  const ruleOf = (itemId: string): number => items.find((item) => item.id === itemId)?.ruleIndex ?? 0;
  return {
    ...rest,
    items,
    actors: open.map(({ itemId, role, scope, people }) => ({
      itemId,
      ruleIndex: ruleOf(itemId),
      role,
      scope,
      members: people,
    })),
    excludeAuthor: reading.policy.excludeAuthor,
    halted: reading.resolved || reading.withdrawn ? null : haltedBy(state),
  };
}

/**
 * A stopped run keeps its gates and takes no decision before it is resumed
 * (docs/design/decisions.md#stopped-gates).
 */
const haltedBy = ({ job }: ReviewState): string | null =>
  job.status === 'stopped'
    ? `run ${job.id} is stopped: nothing can be decided before \`kit run --resume=${job.id}\``
    : null;

/** The gates of a job that people can still decide, in the order in which they were opened. */
export function openGateDetails(state: ReviewState, roles: RoleDirectory): readonly GateDetails[] {
  const ids = [...new Set(state.gates.map((gate) => gate.gateId))];
  return ids.flatMap((id) => {
    const gate = gateDetails(state, id, roles);
    return gate === null || gate.resolved || gate.withdrawn ? [] : [gate];
  });
}
