import type { AgentNode } from '../../domain/agent-node.js';
import type { DecisionBinding } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from './link-workspace.js';
import type { Checked } from './registries.js';
import { agentsOf } from './walk-agents.js';

/** One declaration of a check, and whether runs do it (docs/design/workspace.md#wirings). */
export interface Wiring {
  readonly kind: 'decision_skill' | 'funnel' | 'funnel_layer';
  readonly key: string;
  /** `file#pointer`. */
  readonly declaredOn: string;
  readonly required: boolean;
  readonly detail: string;
  /** Why no run does what is declared; null = it is wired. */
  readonly why: string | null;
  readonly topology: string;
  readonly agent: string | null;
  readonly layer: string | null;
}

export const FUNNEL_LAYERS = ['validate', 'judge', 'review', 'approve'] as const;

interface Declared {
  readonly binding: DecisionBinding;
  readonly declaredOn: string;
}

function bindingsOf(linked: Linked, topology: Checked<'Topology'>): readonly Declared[] {
  const { config } = linked.registries;
  const byId = new Map<string, Declared>();
  for (const artifact of [config, topology]) {
    artifact.value.governance?.decision_skills?.forEach((binding, index) => {
      const declaredOn = `${artifact.path}#${pointerTo('', 'governance', 'decision_skills', index)}`;
      // The topology's binding of an id replaces the workspace's whole; `enabled: false` removes
      // it.
      byId.set(binding.id, { binding, declaredOn });
    });
  }
  return [...byId.values()].filter((entry) => entry.binding.enabled !== false);
}

/**
 * Roles of the rules that are in no registry: then nobody can be asked, and the gate is only
 * advisory (docs/design/workspace.md#funnels).
 */
function undefinedRoles(linked: Linked, { value: funnel }: Checked<'Funnel'>): readonly string[] {
  const defined = new Set(linked.registries.roles.flatMap(({ value }) => value.roles.map(({ id }) => id)));
  const named = funnel.approve.rules.flatMap(({ roles }) => roles);
  return [...new Set(named)].filter((id) => !defined.has(id));
}

function funnelWirings(linked: Linked, key: string, path: string, agent: AgentNode): readonly Wiring[] {
  const funnel = agent.funnel === null ? undefined : linked.registries.funnels.get(agent.funnel);
  if (agent.funnel === null || funnel === undefined) return [];
  const base = { declaredOn: `${path}#${agent.pointer}/funnel`, required: false, topology: key, agent: agent.id };
  const layers = FUNNEL_LAYERS.filter((layer) => funnel.value[layer] !== undefined);
  const missing = undefinedRoles(linked, funnel);
  return [
    {
      ...base,
      kind: 'funnel',
      key: `${key}:${agent.id}:${agent.funnel}`,
      detail: `funnel ${agent.funnel} of agent ${agent.id}`,
      why: null,
      layer: null,
    },
    ...layers.map(
      (layer): Wiring => ({
        ...base,
        kind: 'funnel_layer',
        key: `${key}:${agent.id}:${agent.funnel}:${layer}`,
        declaredOn: `${funnel.path}#/${layer}`,
        detail: `layer ${layer} of funnel ${agent.funnel}`,
        why:
          layer === 'approve' && missing.length > 0
            ? `no role registry defines ${missing.join(', ')}, so the gate is advisory`
            : null,
        layer,
      }),
    ),
  ];
}

/** Why no run of the topology would ever ask a binding; null = some do. */
function neverAsked({ decisions, root, planning, synthesis }: LinkedTopology, id: string): string | null {
  const bound = decisions.find(({ skill }) => skill === id);
  if (bound === undefined) return null;
  const { trigger, agents } = bound;
  if (agents !== null && !agentsOf(root).some((agent) => agents.includes(agent.id)))
    return 'no agent of the topology is in its scope';
  const isOfPlan = trigger === 'checkpoint' || trigger === 'pre_synthesis';
  return isOfPlan && planning === null && synthesis === null
    ? `nobody plans in the topology, so there is no ${trigger}`
    : null;
}

/** Every declared check of every topology with what became of it, from the link records. */
export function wiringsOf(linked: Linked): readonly Wiring[] {
  return [...linked.topologies].flatMap(([key, topology]) => {
    const artifact = linked.registries.topologies.get(key);
    const bindings = (artifact === undefined ? [] : bindingsOf(linked, artifact)).map(
      ({ binding, declaredOn }): Wiring => {
        const { id, trigger, required } = { ...DEFAULTS.DecisionBinding, ...binding };
        return {
          kind: 'decision_skill',
          key: `${key}:${id}:${trigger}`,
          declaredOn,
          required,
          detail: `decision skill ${id} at ${trigger}`,
          why: neverAsked(topology, id),
          topology: key,
          agent: null,
          layer: null,
        };
      },
    );
    return [
      ...bindings,
      ...[...agentsOf(topology.root)].flatMap((agent) => funnelWirings(linked, key, topology.artifact.path, agent)),
    ];
  });
}
