import type { Agent } from '../../domain/generated/artifacts.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import { archetypeSkills } from '../link/agents.js';
import { withMembers } from '../link/composed-members.js';
import type { Linked } from '../link/link-workspace.js';
import { topologyOf } from '../link/topology-of.js';
import { funnelsOf } from '../link/walk-agents.js';
import type { Report } from '../report.js';
import { findCycles } from './cycles.js';

/**
 * What the files name as a skill of an agent. What `pack:workspace` grants is not among it: that is
 * an offer of everything, and a run bounds its depth.
 */
function entriesOf(linked: Linked, agent: Agent): readonly string[] {
  const archetype = linked.registries.archetypes.get(agent.archetype ?? '') ?? null;
  const { skills: own = archetypeSkills(archetype).entries.filter((entry) => typeof entry === 'string') } = agent;
  const { skills_additional: more = [], children = [] } = agent;
  return [...own, ...more, ...children.flatMap((child) => entriesOf(linked, child))];
}

/**
 * Topologies that a run of this one asks for by a skill of its agents, a judge or a decision, as
 * `name@version`.
 */
function calledBy(linked: Linked, topology: LinkedTopology): readonly string[] {
  const { root } = topology.artifact.value.agents;
  const judges = funnelsOf(topology.root, (id) => linked.funnels.get(id)).flatMap(({ judge }) => judge?.skill ?? []);
  const ids = withMembers(linked, [
    ...entriesOf(linked, root),
    ...judges,
    ...topology.decisions.map(({ skill }) => skill),
  ]);
  return ids.flatMap((id) => {
    const implementation = linked.skills.get(id)?.implementation;
    const called =
      implementation?.type === 'agent' && implementation.topology !== null
        ? topologyOf(linked, implementation.topology)
        : null;
    return called === null ? [] : [keyOf(called)];
  });
}

const keyOf = ({ name, version }: Pick<LinkedTopology, 'name' | 'version'>): string => `${name}@${version}`;

/**
 * A topology that comes back to itself through agent skills asks for runs until the bound on their
 * depth ends it, and pays for all of them.
 */
export function checkCalls(linked: Linked, report: Report): void {
  const called = new Map(
    [...linked.topologies.values()].map((topology) => [keyOf(topology), calledBy(linked, topology)]),
  );
  for (const cycle of findCycles(called.keys(), (key) => called.get(key) ?? [])) {
    const topology = [...linked.topologies.values()].find((one) => keyOf(one) === cycle[0]);
    if (topology === undefined) continue;
    report.add(
      { artifact: topology.artifact, pointer: '/agents/root' },
      {
        code: 'topology.call-cycle',
        message: `topologies call each other: ${[...cycle, cycle[0]].join(' -> ')}`,
        help: 'remove the agent skill from one of them',
      },
    );
  }
}
