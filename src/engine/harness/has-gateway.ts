import { heldSkills } from '../../compile/link/held-skills.js';
import type { AgentNode } from '../../domain/agent-node.js';
import { isGated } from '../../domain/harness-call.js';
import { takesSkills } from '../../domain/harness-gateway.js';
import type { RunServices } from '../services.js';

/**
 * Whether the program of an agent is given tools of kit: its skills, where its adapter takes them.
 */
export function hasSkills({ snapshot }: Pick<RunServices, 'snapshot'>, node: AgentNode): boolean {
  if (node.executor.kind !== 'harness') return false;
  const spec = snapshot.adapters[node.executor.ref]?.spec;
  return spec !== undefined && takesSkills(spec) && heldSkills(snapshot, node).length > 0;
}

/** Whether its draft is a row of launches: people may have to decide between two of them. */
export function hasLaunches(services: Pick<RunServices, 'snapshot'>, node: AgentNode): boolean {
  if (node.executor.kind !== 'harness') return false;
  const { ref, config } = node.executor;
  return isGated(services.snapshot.adapters[ref]?.spec, config) || hasSkills(services, node);
}
