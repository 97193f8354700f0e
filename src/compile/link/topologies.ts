import type { LinkedTopology } from '../../domain/linked-topology.js';
import { objectAt, objectIn, objectsAt, textAt, textsAt } from '../read.js';
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
  const metadata = objectAt(artifact.value, 'metadata');
  const name = textAt(metadata, 'name') ?? '';
  const workspace = scope.registries.config.value;
  return {
    name,
    version: textAt(metadata, 'version') ?? '',
    description: textAt(metadata, 'description'),
    root: linkAgent(
      { ...scope, topology: artifact, name },
      objectIn(artifact.value, 'agents', 'root') ?? {},
      '/agents/root',
    ),
    inputSchema: objectAt(artifact.value, 'input_schema'),
    locks: textsAt(artifact.value, 'locks'),
    decisions: decisionBindings(workspace, artifact.value),
    planning: linkPlanning(workspace, artifact.value),
    synthesis: linkSynthesis(workspace, artifact.value),
    knowledge: linkKnowledgeBases(artifact.value),
    tasks: linkTasks(artifact.value),
    gaps: linkGaps(artifact.value),
    reviewQueues: objectsAt(objectAt(artifact.value, 'artifacts'), 'review_queues').flatMap(
      (queue) => textAt(queue, 'id') ?? [],
    ),
    auditLevel: topologyAuditLevel(workspace, artifact.value),
    artifact,
  };
}
