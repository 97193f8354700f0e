import type { Topology } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { GapSettings, LinkedTopology, TaskBounds } from '../../domain/linked-topology.js';
import { type AgentScope, linkAgent } from './agents.js';
import { decisionBindings } from './decision-bindings.js';
import { linkKnowledgeBases } from './knowledge.js';
import { linkPlanning, linkSynthesis } from './planning.js';
import type { Checked } from './registries.js';
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

/**
 * `runtime.max_concurrent_tasks` and `runtime.task_timeout_seconds`; null where neither is written.
 */
function linkTasks({ runtime = {} }: Topology): TaskBounds | null {
  const { max_concurrent_tasks: maxConcurrent = null, task_timeout_seconds: seconds = null } = runtime;
  return maxConcurrent === null && seconds === null
    ? null
    : { maxConcurrent, timeoutMs: seconds === null ? null : seconds * 1000 };
}

/** `artifacts.skill_gap_logging` with its defaults. */
function linkGaps({ artifacts }: Topology): GapSettings {
  const block = { ...DEFAULTS['TopologyArtifacts.skill_gap_logging'], ...artifacts?.skill_gap_logging };
  return { enabled: block.enabled, surfaceThreshold: block.surface_threshold };
}
