import type { DecisionBinding, DecisionTrigger } from '../../domain/decision-binding.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import { flagAt, numberAt, objectAt, objectsAt, textAt } from '../read.js';

const TRIGGERS: readonly DecisionTrigger[] = ['pre_input', 'post_output', 'checkpoint', 'pre_synthesis'];
const DEFAULT_MAX_RETRIES = 4;

/**
 * The bindings of a topology's runs: those of the workspace, each replaced whole by the topology's
 * of the same id, in the order they were first written; what is switched off is left out
 * (docs/design/workspace.md#merging).
 */
export function decisionBindings(workspace: JsonObject, topology: JsonObject): readonly DecisionBinding[] {
  const merged = new Map<string, JsonObject>();
  for (const document of [workspace, topology])
    for (const binding of objectsAt(objectAt(document, 'governance'), 'decision_skills'))
      merged.set(textAt(binding, 'id') ?? '', binding);
  return [...merged.values()].filter((binding) => flagAt(binding, 'enabled') !== false).map(linkBinding);
}

function linkBinding(binding: JsonObject): DecisionBinding {
  const config = objectAt(binding, 'config') ?? {};
  const scope = textAt(binding, 'scope') ?? DEFAULTS.DecisionBinding.scope;
  return {
    skill: textAt(binding, 'id') ?? '',
    trigger: TRIGGERS.find((trigger) => trigger === textAt(binding, 'trigger')) ?? 'post_output',
    agents: scope.trim() === '*' ? null : agentIds(scope),
    required: flagAt(binding, 'required') ?? DEFAULTS.DecisionBinding.required,
    config,
    maxRetries: numberAt(config, 'max_retries') ?? DEFAULT_MAX_RETRIES,
  };
}

const agentIds = (scope: string): readonly string[] =>
  scope
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
