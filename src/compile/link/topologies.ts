import type { LinkedTopology } from '../../domain/linked-topology.js';
import { type AgentScope, linkAgent } from './agents.js';
import { decisionBindings } from './decision-bindings.js';
import { linkKnowledgeBases } from './knowledge.js';
import { linkPlanning, linkSynthesis } from './planning.js';
import type { Checked } from './registries.js';
import { linkGaps, linkTasks } from './tasks.js';
import { topologyAuditLevel } from './workspace-config.js';

/** Every topology, linked; keyed by `name@version`. */
export function linkTopologies(scope: Omit<AgentScope, 'topology' | 'name'>): ReadonlyMap<string, LinkedTopology> {
  const linked = new Map<string, LinkedTopology>();
  for (const [key, artifact] of scope.registries.topologies) linked.set(key, linkTopology(scope, artifact));
  return linked;
}

function linkTopology(scope: Omit<AgentScope, 'topology' | 'name'>, artifact: Checked<'Topology'>): LinkedTopology {
  const workspace = scope.registries.config.value;
  const { value } = artifact;
  const { name, version, description = null } = value.metadata;
  return {
    name,
    version,
    description,
    root: linkAgent({ ...scope, topology: artifact, name }, value.agents.root, '/agents/root'),
    inputSchema: value.input_schema ?? null,
    locks: value.locks ?? [],
    decisions: decisionBindings(workspace, value),
    planning: linkPlanning(workspace, value),
    synthesis: linkSynthesis(workspace, value),
    knowledge: linkKnowledgeBases(value),
    tasks: linkTasks(value),
    gaps: linkGaps(value),
    reviewQueues: (value.artifacts?.review_queues ?? []).map(({ id }) => id),
    auditLevel: topologyAuditLevel(workspace, value),
    artifact,
  };
}
