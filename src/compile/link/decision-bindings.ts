import type { DecisionBinding } from '../../domain/decision-binding.js';
import type { DecisionBinding as BindingBlock, Topology, Workspace } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import { numberAt } from '../read.js';

const DEFAULT_MAX_RETRIES = 4;

/**
 * The bindings of a topology's runs: those of the workspace, each replaced whole by the topology's
 * of the same id, in the order they were first written; what is switched off is left out
 * (docs/design/workspace.md#merging).
 */
export function decisionBindings(workspace: Workspace, topology: Topology): readonly DecisionBinding[] {
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
