import type { AgentNode, ExecutorChoice, ModelChoice } from '../../domain/agent-node.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import type { AgentSummary, TopologySummary } from '../workspace-report.js';

function executorName(executor: ExecutorChoice): string {
  return executor.kind === 'model' ? 'model' : `${executor.kind}:${executor.ref}`;
}

function modelName(model: ModelChoice): string | null {
  const parts = [model.provider, model.name].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('/');
}

const agentSummary = (agent: AgentNode): AgentSummary => ({
  id: agent.id,
  role: agent.role,
  archetype: agent.archetype,
  executor: executorName(agent.executor),
  model: agent.executor.kind === 'model' ? modelName(agent.model) : null,
  skills: agent.skills,
  baseScope: agent.baseScope,
  children: agent.children.map(agentSummary),
});

/** Topologies with their effective agents, by name and version. */
export const treeOf = (topologies: ReadonlyMap<string, LinkedTopology>): readonly TopologySummary[] =>
  [...topologies]
    .map(([id, topology]) => ({ id, description: topology.description, root: agentSummary(topology.root) }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
