import { MEMORY_BINDINGS } from '../../domain/decision-binding.js';
import type { DecisionBinding } from '../../domain/generated/artifacts.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import { memoryEnabled } from '../link/memory.js';
import type { Art, Checked } from '../link/registries.js';
import { agentsOf } from '../link/walk-agents.js';
import { didYouMean, type Report } from '../report.js';

interface Scope {
  readonly linked: Linked;
  readonly artifact: Checked<'Topology'> | Checked<'Workspace'>;
  /** Agent ids that a binding's `scope` may name. */
  readonly agents: ReadonlySet<string>;
  readonly report: Report;
}

function checkSkill(scope: Scope, binding: DecisionBinding, pointer: string): void {
  const { linked, artifact, report } = scope;
  const { id } = binding;
  const place = { artifact, pointer: pointerTo(pointer, 'id') };
  if (MEMORY_BINDINGS.includes(id)) {
    if (!memoryEnabled(linked.registries.config.value) && binding.enabled !== false) {
      report.add(place, {
        code: 'memory.disabled-but-bound',
        message: `\`${id}\` is bound while \`memory.enabled\` is false`,
        help: 'remove the binding, or switch memory on',
      });
    }
    return;
  }
  const category = linked.registries.skills.get(id)?.value.category ?? linked.skills.get(id)?.category;
  if (category === 'decision') return;
  report.add(
    place,
    category === undefined
      ? {
          code: 'binding.unknown-skill',
          message: `no skill is called \`${id}\``,
          help: didYouMean(id, linked.skills.keys()),
        }
      : {
          code: 'binding.unknown-skill',
          message: `\`${id}\` is a ${category} skill and cannot decide`,
          help: 'name a skill of category `decision`',
        },
  );
}

function checkScope(scope: Scope, binding: DecisionBinding, pointer: string): void {
  for (const id of (binding.scope ?? '*').split(',').map((part) => part.trim())) {
    if (id === '*' || id === '' || scope.agents.has(id)) continue;
    scope.report.add(
      { artifact: scope.artifact, pointer: pointerTo(pointer, 'scope') },
      {
        code: 'binding.unknown-agent',
        severity: 'warning',
        message: `no agent is called \`${id}\``,
        help: didYouMean(id, scope.agents),
      },
    );
  }
}

/**
 * One document binds a skill once: of two entries the second would silently take the place of the
 * first.
 */
function checkDuplicate(
  { artifact, report }: Scope,
  at: { readonly id: string; readonly pointer: string; readonly seen: Set<string> },
): void {
  const { id, pointer, seen } = at;
  if (seen.has(id)) {
    report.add(
      { artifact, pointer: pointerTo(pointer, 'id') },
      {
        code: 'binding.duplicate-id',
        message: `\`${id}\` is bound twice in this document`,
        help: 'keep one of the two; a second skill file may carry the same prompt under another id',
      },
    );
  }
  seen.add(id);
}

function checkBindings(scope: Scope): void {
  const seen = new Set<string>();
  scope.artifact.value.governance?.decision_skills?.forEach((binding, index) => {
    const pointer = pointerTo('', 'governance', 'decision_skills', index);
    checkDuplicate(scope, { id: binding.id, pointer, seen });
    checkSkill(scope, binding, pointer);
    checkScope(scope, binding, pointer);
  });
}

function checkSynthesisRoles(
  artifact: Art,
  roles: readonly string[] | undefined,
  pointer: string,
  agents: ReadonlySet<string>,
  report: Report,
): void {
  roles?.forEach((id, index) => {
    if (id === 'self' || agents.has(id)) return;
    report.add(
      { artifact, pointer: pointerTo(pointer, 'synthesis_roles', index) },
      {
        code: 'planning.unknown-agent',
        severity: 'warning',
        message: `no agent is called \`${id}\``,
        help: didYouMean(id, agents),
      },
    );
  });
}

/** Decision bindings and planning name skills and agents that exist. */
export function checkDecisionBindings(linked: Linked, report: Report): void {
  const everyAgent = new Set<string>();
  for (const topology of linked.topologies.values()) {
    const agents = new Set([...agentsOf(topology.root)].map((agent) => agent.id));
    for (const id of agents) everyAgent.add(id);
    const artifact = linked.registries.topologies.get(`${topology.name}@${topology.version}`);
    if (artifact === undefined) continue;
    checkBindings({ linked, artifact, agents, report });
    const roles = artifact.value.runtime?.planning?.synthesis_roles;
    checkSynthesisRoles(artifact, roles, '/runtime/planning', agents, report);
  }
  const { config } = linked.registries;
  checkBindings({ linked, artifact: config, agents: everyAgent, report });
  checkSynthesisRoles(config, config.value.planning?.synthesis_roles, '/planning', everyAgent, report);
}
