import type {
  Planning as PlanningBlock,
  Synthesis as SynthesisBlock,
  Topology,
  Workspace,
} from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { Planning, Synthesis } from '../../domain/planning.js';

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
export function linkPlanning(workspace: Workspace, topology: Topology): Planning | null {
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
export function linkSynthesis(workspace: Workspace, topology: Topology): Synthesis | null {
  const block = merged(workspace.synthesis, topology.runtime?.synthesis);
  return block?.model === undefined
    ? null
    : { provider: block.provider ?? null, model: block.model, prompt: block.prompt ?? null };
}
