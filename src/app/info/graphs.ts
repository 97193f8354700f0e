import type { AgentNode } from '../../domain/agent-node.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import type { Workspace } from '../../domain/workspace.js';
import { type GraphAgent, graphOf, type TopologyGraph } from '../../view/graph/topology-graph.js';
import { findTopology } from '../submit/prepare-run.js';

const answersOf = ({ executor, model }: AgentNode): string => {
  switch (executor.kind) {
    case 'model':
      return [model.provider, model.name].filter((part) => part !== null).join('/') || 'no model';
    case 'harness':
    case 'plugin':
      return `${executor.kind} ${executor.ref}`;
  }
};

const agentOf = (agent: AgentNode): GraphAgent => ({
  id: agent.id,
  role: agent.role,
  answers: answersOf(agent),
  skills: agent.skills,
  funnel: agent.funnel,
  dependsOn: agent.dependsOn,
  children: agent.children.map(agentOf),
});

/** See `InfoApp.graphs`. */
export function graphsOf(workspace: Workspace, topology: string | null): readonly TopologyGraph[] {
  const chosen =
    topology === null
      ? [...workspace.topologies.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
      : [findTopology(workspace, topology)];
  return chosen.map((one) => graphOf(factsOf(workspace, one)));
}

function factsOf(workspace: Workspace, { name, version, description, root }: LinkedTopology) {
  const isMeant = (target: string): boolean => target === name || target === `${name}@${version}`;
  const triggers = [...workspace.triggerSpecs.values()]
    .filter(({ targets }) => targets.some((target) => target.kind === 'topology' && isMeant(target.topology)))
    .map(({ id, type, enabled }) => ({ id, type, enabled }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { name, version, description, root: agentOf(root), triggers };
}
