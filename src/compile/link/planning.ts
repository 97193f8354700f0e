import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import type { Planning, Synthesis } from '../../domain/planning.js';
import { flagAt, objectAt, objectIn, textAt, textsAt } from '../read.js';

const SELF = 'self';

/**
 * Key by key, the topology's over the workspace's; defaults last, so that a topology resets only
 * what it writes (docs/design/workspace.md#merging).
 */
function merged(key: 'planning' | 'synthesis', workspace: JsonObject, topology: JsonObject): JsonObject | null {
  const [below, above] = [objectAt(workspace, key), objectIn(topology, 'runtime', key)];
  return below === null && above === null ? null : { ...below, ...above };
}

/**
 * Null where nobody plans. A synthesis is that of a plan: who configures one plans with the
 * defaults.
 */
export function linkPlanning(workspace: JsonObject, topology: JsonObject): Planning | null {
  const block = merged('planning', workspace, topology) ?? (linkSynthesis(workspace, topology) === null ? null : {});
  if (block === null) return null;
  const roles =
    block.synthesis_roles === undefined ? DEFAULTS.Planning.synthesis_roles : textsAt(block, 'synthesis_roles');
  return {
    scopeRequired: flagAt(block, 'scope_required') ?? DEFAULTS.Planning.scope_required,
    twoPhase: flagAt(block, 'two_phase') ?? DEFAULTS.Planning.two_phase,
    synthesisRoles: [...new Set([SELF, ...roles])],
    synthesizerRole: textAt(block, 'synthesizer_role') ?? DEFAULTS.Planning.synthesizer_role,
  };
}

/** Null without a model. */
export function linkSynthesis(workspace: JsonObject, topology: JsonObject): Synthesis | null {
  const block = merged('synthesis', workspace, topology);
  const model = textAt(block, 'model');
  return model === null ? null : { provider: textAt(block, 'provider'), model, prompt: textAt(block, 'prompt') };
}
