import { topologyOf } from '../../compile/link/topology-of.js';
import { funnelsOf, workersOf } from '../../compile/link/walk-agents.js';
import type { Effects } from '../../domain/journal.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import type { Workspace } from '../../domain/workspace.js';
import type { Offered, OfferedTopology } from './info-app.js';

/** From what is proven harmless to what is known to harm; what is not known may be anything. */
const ORDER: readonly Effects[] = ['none', 'read', 'write', 'unknown', 'destructive'];

const graver = (a: Effects, b: Effects): Effects => (ORDER.indexOf(b) > ORDER.indexOf(a) ? b : a);
const gravest = (all: readonly Effects[]): Effects => all.reduce(graver, 'none');

/** What a run may do at most, by what its agents hold; `seen` ends circles of topologies. */
function effectsOf(workspace: Workspace, topology: LinkedTopology, seen: ReadonlySet<string>): Effects {
  const key = `${topology.name}@${topology.version}`;
  if (seen.has(key)) return 'none';
  const known = new Set([...seen, key]);
  const find = (id: string) => workspace.linkedFunnels.get(id);
  const workers = workersOf(topology.root, find);
  const judges = funnelsOf(topology.root, find).flatMap(({ judge }) => (judge === null ? [] : [judge.skill]));
  const skills = new Set([
    ...workers.flatMap(({ skills: held }) => held),
    ...topology.decisions.map(({ skill }) => skill),
    ...judges,
  ]);
  return gravest([
    // What a harness or a plugin does, no skill says.
    ...workers.map(({ executor }): Effects => (executor.kind === 'model' ? 'none' : 'unknown')),
    ...(workspace.memory.enabled ? (['write'] as const) : []),
    ...[...skills].map((id) => effectsOfSkill(workspace, workspace.skills.get(id), known)),
  ]);
}

function effectsOfSkill(workspace: Workspace, skill: LinkedSkill | undefined, seen: ReadonlySet<string>): Effects {
  if (skill === undefined) return 'unknown';
  const { implementation, category, effects } = skill;
  const kept: Effects = category === 'persistence' ? 'write' : 'none';
  switch (implementation.type) {
    case 'composed':
      return gravest([
        kept,
        // A strategy of a plugin may do what it likes.
        ...(implementation.strategyClass === undefined ? [] : (['unknown'] as const)),
        ...implementation.composes.map((id) => effectsOfSkill(workspace, workspace.skills.get(id), seen)),
      ]);
    case 'agent': {
      const called = implementation.topology === null ? null : topologyOf(workspace, implementation.topology);
      return graver(kept, called === null ? effects : effectsOf(workspace, called, seen));
    }
    case 'llm_prompt':
    case 'knowledge':
    case 'command':
    case 'mcp_tool':
      return graver(kept, effects);
  }
}

/** See `InfoApp.offered`. */
export function offeredOf(workspace: Workspace): Offered {
  const names = [...new Set([...workspace.topologies.values()].map(({ name }) => name))].sort();
  const topologies = names.flatMap((name): readonly OfferedTopology[] => {
    const topology = topologyOf(workspace, name);
    if (topology === null) return [];
    const { version, description, inputSchema, root } = topology;
    const effects = effectsOf(workspace, topology, new Set());
    return [{ name, version, description, inputSchema, outputSchema: root.outputSchema, effects }];
  });
  const { id, name, description, server, maxConcurrent } = workspace;
  return { id, name, description, server, maxConcurrent, topologies };
}
