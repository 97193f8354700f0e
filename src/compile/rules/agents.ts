import type { AgentNode } from '../../domain/agent-node.js';
import { takesSkills } from '../../domain/harness-gateway.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import { agentsOf } from '../link/walk-agents.js';
import { didYouMean, orMake, type Place, type Report } from '../report.js';
import { findCycles } from './cycles.js';

interface Scope {
  readonly linked: Linked;
  readonly topology: LinkedTopology;
  readonly agents: readonly AgentNode[];
  readonly report: Report;
}

const at = (scope: Scope, agent: AgentNode, ...segments: readonly (string | number)[]): Place => ({
  artifact: scope.topology.artifact,
  pointer: pointerTo(agent.pointer, ...segments),
});

function checkIds(scope: Scope): void {
  const seen = new Map<string, AgentNode>();
  for (const agent of scope.agents) {
    const first = seen.get(agent.id);
    if (first === undefined) seen.set(agent.id, agent);
    else {
      scope.report.add(at(scope, agent, 'id'), {
        code: 'agent.duplicate-id',
        message: `two agents of this topology are called \`${agent.id}\``,
        help: 'rename one of them',
        related: [{ ...at(scope, first, 'id'), message: 'first used here' }],
      });
    }
  }
}

function checkReferences(scope: Scope, agent: AgentNode): void {
  const { archetypes, funnels } = scope.linked.registries;
  if (agent.archetype !== null && !archetypes.has(agent.archetype)) {
    scope.report.add(at(scope, agent, 'archetype'), {
      code: 'agent.unknown-archetype',
      message: `no archetype is called \`${agent.archetype}\``,
      help:
        didYouMean(agent.archetype, archetypes.keys()) ??
        `write archetypes/${agent.archetype}.yaml, or remove \`archetype\` from this agent`,
    });
  }
  if (agent.funnel !== null && !funnels.has(agent.funnel)) {
    scope.report.add(at(scope, agent, 'funnel'), {
      code: 'agent.unknown-funnel',
      message: `no funnel is called \`${agent.funnel}\``,
      help: orMake(didYouMean(agent.funnel, funnels.keys()), 'funnel', agent.funnel),
    });
  }
}

function checkRequires(scope: Scope, agent: AgentNode): void {
  const held = new Set(agent.skills);
  // With an unknown archetype the list is incomplete: the archetype is the one problem.
  const isComplete = agent.archetype === null || scope.linked.registries.archetypes.has(agent.archetype);
  for (const [guarded, prerequisites] of Object.entries(agent.requires)) {
    for (const skill of [guarded, ...prerequisites]) {
      if (held.has(skill) || !isComplete) continue;
      scope.report.add(at(scope, agent, 'requires'), {
        code: 'agent.requires-unknown-skill',
        message: `\`requires\` names \`${skill}\`, which the agent \`${agent.id}\` does not hold`,
        help: didYouMean(skill, held),
      });
    }
  }
  for (const cycle of findCycles(Object.keys(agent.requires), (skill) => agent.requires[skill] ?? [])) {
    scope.report.add(at(scope, agent, 'requires'), {
      code: 'agent.requires-cycle',
      message: `skills of \`requires\` require each other: ${[...cycle, cycle[0]].join(' -> ')}`,
      help: `remove one of these entries, for example \`${cycle[1] ?? cycle[0]}\` from the list of \`${cycle[0]}\``,
    });
  }
}

function checkDependsOn(scope: Scope, agent: AgentNode, ids: ReadonlySet<string>): void {
  agent.dependsOn.forEach((id, index) => {
    if (id === agent.id) {
      scope.report.add(at(scope, agent, 'depends_on', index), {
        code: 'agent.depends-on-self',
        message: `the agent \`${agent.id}\` depends on itself`,
        help: `remove \`${id}\` from this list, or name the agent that \`${agent.id}\` waits for`,
      });
    } else if (!ids.has(id)) {
      scope.report.add(at(scope, agent, 'depends_on', index), {
        code: 'agent.depends-on-unknown',
        message: `no agent of this topology is called \`${id}\``,
        help: didYouMean(id, ids),
      });
    }
  });
}

function checkDependencyCycles(scope: Scope): void {
  const byId = new Map(scope.agents.map((agent) => [agent.id, agent]));
  const next = (id: string) => (byId.get(id)?.dependsOn ?? []).filter((other) => other !== id);
  for (const cycle of findCycles(byId.keys(), next)) {
    const first = byId.get(cycle[0] ?? '');
    if (first === undefined) continue;
    scope.report.add(at(scope, first, 'depends_on'), {
      code: 'agent.depends-on-cycle',
      message: `agents wait for each other: ${[...cycle, cycle[0]].join(' -> ')}`,
      help: `remove \`${cycle[1] ?? cycle[0]}\` from this list, or \`${cycle[0]}\` from the list that leads back`,
      related: cycle.slice(1).flatMap((id) => {
        const agent = byId.get(id);
        return agent === undefined ? [] : [{ ...at(scope, agent, 'depends_on'), message: 'and this one waits too' }];
      }),
    });
  }
}

/**
 * A dependency that is neither a sibling nor waits for one would never be in the same wave; it is
 * legal and does nothing.
 */
function checkSiblings(scope: Scope, parent: AgentNode): void {
  const siblings = new Set(parent.children.map((child) => child.id));
  const all = new Set(scope.agents.map((agent) => agent.id));
  for (const child of parent.children) {
    child.dependsOn.forEach((id, index) => {
      if (siblings.has(id) || !all.has(id) || id === child.id) return;
      scope.report.add(at(scope, child, 'depends_on', index), {
        code: 'agent.depends-on-distant',
        severity: 'warning',
        message: `\`${id}\` is not a sibling of \`${child.id}\`, so waiting for it has no effect`,
        help: 'agents wait for siblings: children of the same parent',
      });
    });
  }
}

/** Rules on the agents of every topology. Skill entries and schemas were judged while linking. */
export function checkAgents(linked: Linked, report: Report): void {
  for (const topology of linked.topologies.values()) {
    const agents = [...agentsOf(topology.root)];
    const scope: Scope = { linked, topology, agents, report };
    const ids = new Set(agents.map((agent) => agent.id));
    checkIds(scope);
    for (const agent of agents) {
      checkReferences(scope, agent);
      checkRequires(scope, agent);
      checkHarnessSkills(scope.linked, agent, at(scope, agent), scope.report);
      checkDependsOn(scope, agent, ids);
      checkSiblings(scope, agent);
    }
    checkDependencyCycles(scope);
  }
}

/**
 * Reports `agent.harness-skills` for an agent that holds skills which the program of its adapter
 * cannot be given: it would work without them, and say nothing of it. Decision skills are asked by
 * kit itself.
 */
function checkHarnessSkills(linked: Linked, agent: AgentNode, place: Place, report: Report): void {
  const { executor } = agent;
  if (executor.kind !== 'harness') return;
  const spec = linked.registries.adapters.get(executor.ref)?.value.spec;
  if (spec === undefined || takesSkills(spec)) return;
  const held = agent.skills.filter((id) => {
    const skill = linked.skills.get(id);
    return skill !== undefined && skill.category !== 'decision';
  });
  if (held.length === 0) return;
  const isNamed = spec.launch.mcp_tool_name !== undefined;
  report.add(place, {
    code: 'agent.harness-skills',
    message: `the agent \`${agent.id}\` holds ${held.map((id) => `\`${id}\``).join(', ')}, and the program of the adapter \`${executor.ref}\` cannot be given skills`,
    help: isNamed
      ? 'name `{task.mcp_config}` or `{task.mcp_command}` in the `launch` of the adapter: it is where the program finds them'
      : 'name an adapter whose program takes tools of kit, such as `claude-code`, or remove the skills',
  });
}
