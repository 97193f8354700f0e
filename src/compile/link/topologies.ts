import type { DecisionBinding } from '../../domain/decision-binding.js';
import type {
  DecisionBinding as BindingBlock,
  Planning as PlanningBlock,
  Synthesis as SynthesisBlock,
  Topology,
  Workspace,
} from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { GapSettings, LinkedTopology, TaskBounds } from '../../domain/linked-topology.js';
import type { Planning, Synthesis } from '../../domain/planning.js';
import { numberAt } from '../read.js';
import { type AgentScope, linkAgent } from './agents.js';
import { linkKnowledgeBases } from './knowledge.js';
import type { Checked } from './registries.js';
import { topologyAuditLevel } from './workspace-config.js';

const SELF = 'self';

/**
 * Key by key, the topology's over the workspace's; defaults last, so that a topology resets only
 * what it writes (docs/design/workspace.md#merging). Undefined where neither writes one.
 */
const merged = <B extends PlanningBlock | SynthesisBlock>(below: B | undefined, above: B | undefined): B | undefined =>
  below === undefined ? above : { ...below, ...above };

/**
 * Null where nobody plans. A synthesis is that of a plan: who configures one plans with the
 * defaults.
 */
function linkPlanning(workspace: Workspace, topology: Topology): Planning | null {
  const written = merged(workspace.planning, topology.runtime?.planning);
  if (written === undefined && linkSynthesis(workspace, topology) === null) return null;
  const block = { ...DEFAULTS.Planning, ...written };
  return {
    scopeRequired: block.scope_required,
    twoPhase: block.two_phase,
    synthesisRoles: [...new Set([SELF, ...block.synthesis_roles])],
    synthesizerRole: block.synthesizer_role,
  };
}

/** Null without a model. */
function linkSynthesis(workspace: Workspace, topology: Topology): Synthesis | null {
  const block = merged(workspace.synthesis, topology.runtime?.synthesis);
  return block?.model === undefined
    ? null
    : { provider: block.provider ?? null, model: block.model, prompt: block.prompt ?? null };
}

const DEFAULT_MAX_RETRIES = 4;

/**
 * The bindings of a topology's runs: those of the workspace, each replaced whole by the topology's
 * of the same id, in the order they were first written; what is switched off is left out
 * (docs/design/workspace.md#merging).
 */
function decisionBindings(workspace: Workspace, topology: Topology): readonly DecisionBinding[] {
  const merged = new Map<string, BindingBlock>();
  for (const { governance } of [workspace, topology])
    for (const binding of governance?.decision_skills ?? []) merged.set(binding.id, binding);
  return [...merged.values()].filter(({ enabled }) => enabled !== false).map(linkBinding);
}

function linkBinding(written: BindingBlock): DecisionBinding {
  const { id, trigger, scope, required, config = {} } = { ...DEFAULTS.DecisionBinding, ...written };
  return {
    skill: id,
    trigger,
    agents: scope.trim() === '*' ? null : agentIds(scope),
    required,
    config,
    maxRetries: numberAt(config, 'max_retries') ?? DEFAULT_MAX_RETRIES,
  };
}

const agentIds = (scope: string): readonly string[] =>
  scope
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');

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
