import type { AgentNode } from '../../domain/agent-node.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import type { Linked } from '../link/link-workspace.js';
import { type Art, idOf } from '../link/registries.js';
import { workersOf } from '../link/walk-agents.js';

/** Which topologies a place of an artifact takes part in. */
export interface Reach {
  /**
   * Keys `name@version`; null = every run; [] = no run by hand reaches it (a server's setting, a
   * trigger).
   */
  of(artifact: Art, pointer: string): readonly string[] | null;
}

/** Everything that one topology holds, directly or through what it holds. */
interface Holdings {
  readonly key: string;
  readonly agents: readonly AgentNode[];
  readonly archetypes: ReadonlySet<string>;
  readonly skills: ReadonlySet<string>;
  readonly funnels: ReadonlySet<string>;
  readonly adapters: ReadonlySet<string>;
}

function skillClosure(linked: Linked, ids: Iterable<string>): ReadonlySet<string> {
  const held = new Set<string>();
  const add = (id: string): void => {
    if (held.has(id)) return;
    held.add(id);
    const implementation = linked.skills.get(id)?.implementation;
    if (implementation?.type === 'composed') implementation.composes.forEach(add);
  };
  for (const id of ids) add(id);
  return held;
}

function holdingsOf(linked: Linked, key: string, topology: LinkedTopology): Holdings {
  const agents = workersOf(topology.root, (id) => linked.funnels.get(id));
  const funnels = new Set(agents.flatMap((agent) => (agent.funnel === null ? [] : [agent.funnel])));
  const judges = [...funnels].flatMap((id) => linked.registries.funnels.get(id)?.value.judge?.skill ?? []);
  const bindings = [topology.artifact, linked.registries.config].flatMap(({ value }) =>
    (value.governance?.decision_skills ?? []).map(({ id }) => id),
  );
  return {
    key,
    agents,
    archetypes: new Set(agents.flatMap((agent) => (agent.archetype === null ? [] : [agent.archetype]))),
    skills: skillClosure(linked, [...agents.flatMap((agent) => agent.skills), ...judges, ...bindings]),
    funnels,
    adapters: new Set(agents.flatMap((agent) => (agent.executor.kind === 'harness' ? [agent.executor.ref] : []))),
  };
}

/**
 * The workspace settings that a run by hand never reads: they belong to `kit serve` and what it
 * serves.
 */
const SERVER_ONLY = /^\/(server|identity)(\/|$)/;
const ENTRY = /^\/(mcp_servers|command_packs)\/(\d+)(?:\/|$)/;

const usesServer = (skill: LinkedSkill | undefined, server: string): boolean =>
  skill?.implementation.type === 'mcp_tool' && skill.implementation.server === server;
const usesPack = (skill: LinkedSkill | undefined, pack: string): boolean =>
  skill?.implementation.type === 'command' && skill.implementation.pack === pack;

function workspaceReach(linked: Linked, holdings: readonly Holdings[], pointer: string): readonly string[] | null {
  const [, list, index] = ENTRY.exec(pointer) ?? [];
  if (list !== undefined && index !== undefined) {
    const { mcp_servers: servers, command_packs: packs } = linked.registries.config.value;
    const [entries, uses] = list === 'mcp_servers' ? [servers, usesServer] : [packs, usesPack];
    const id = entries?.[Number(index)]?.id ?? '';
    return holdings
      .filter((held) => [...held.skills].some((skill) => uses(linked.skills.get(skill), id)))
      .map((held) => held.key);
  }
  return SERVER_ONLY.test(pointer) ? [] : null;
}

/** Reads the link records once; the answers are looked up in them. */
export function makeReach(linked: Linked): Reach {
  const holdings = [...linked.topologies].map(([key, topology]) => holdingsOf(linked, key, topology));
  const holding = (has: (held: Holdings) => boolean): readonly string[] => holdings.filter(has).map((held) => held.key);
  return {
    of(artifact, pointer) {
      const id = idOf(artifact);
      switch (artifact.kind) {
        case 'Workspace':
          return workspaceReach(linked, holdings, pointer);
        case 'Topology':
          return [id];
        case 'Archetype':
          return holding((held) => held.archetypes.has(id));
        case 'Skill':
          return holding((held) => held.skills.has(id));
        case 'Funnel':
          return holding((held) => held.funnels.has(id));
        case 'ExecutorAdapter':
          return holding((held) => held.adapters.has(id));
        case 'ModelProvider':
          return holding((held) =>
            held.agents.some(({ model: { provider, toolProvider, fallback = [] } }) =>
              [provider, toolProvider, ...fallback.map((one) => one.provider)].includes(id),
            ),
          );
        case 'Contract':
        case 'RoleRegistry':
        case 'Trigger':
        case 'EvalSet':
          return [];
      }
    },
  };
}
