import { agentsOf } from '../../compile/link/walk-agents.js';
import { KitError } from '../../domain/errors.js';
import type { RoleDirectory } from '../../domain/gates.js';
import type { Workspace } from '../../domain/workspace.js';
import { simulate } from '../../govern/approval/simulate.js';
import { findTopology } from '../submit/prepare-run.js';
import type { SimulatedGate, SimulateGate } from './review-app.js';

/**
 * What a script of decisions comes to at each gate of a topology, by the live registry. An author
 * asserted on the command line is taken at their word, like the submitter of a run.
 *
 * Throws KIT_TOPOLOGY_UNKNOWN, KIT_USAGE for a topology without a gate.
 */
export function simulateGates(
  workspace: Workspace,
  roles: RoleDirectory,
  asked: SimulateGate,
): readonly SimulatedGate[] {
  const topology = findTopology(workspace, asked.topology);
  const gated = [...agentsOf(topology.root)].flatMap((agent) => {
    const funnel = agent.funnel === null ? undefined : workspace.linkedFunnels.get(agent.funnel);
    return funnel === undefined ? [] : [{ agent, funnel }];
  });
  if (gated.length === 0)
    throw new KitError('KIT_USAGE', `no agent of ${asked.topology} stands behind a funnel`, {
      hint: 'Name a topology whose agents have one.',
    });
  return gated.map(({ agent, funnel }) => {
    const { steps, gate } = simulate(
      funnel.approve,
      roles,
      { identity: asked.author, assurance: 'asserted' },
      asked.script,
    );
    return {
      agentId: agent.id,
      funnelId: funnel.id,
      steps: steps.map((step) => ({ ...step, role: step.role === '' ? null : step.role, reason: step.reason ?? '' })),
      status: gate.status,
      outstanding: gate.outstanding,
      stuck: gate.stuck,
    };
  });
}
