import type { AgentNode } from '../../domain/agent-node.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import type { Workspace } from '../../domain/workspace.js';
import type { Report } from '../report.js';
import type { ExecutorCatalogue } from './executor.js';
import { linkFunnels } from './funnels.js';
import type { ReferencedFiles, SchemaTools } from './output-schema.js';
import type { Registries } from './registries.js';
import { servingConfig } from './server-settings.js';
import { linkSkills } from './skills.js';
import { linkTopologies } from './topologies.js';
import { triggerSpec } from './trigger-spec.js';
import { workspaceConfig } from './workspace-config.js';

/** Registries with the linked forms beside them: what every rule reads. */
export interface Linked extends Pick<LinkInput, 'registries' | 'catalogue' | 'files' | 'tools'> {
  readonly skills: ReadonlyMap<string, LinkedSkill>;
  readonly topologies: ReadonlyMap<string, LinkedTopology>;
  readonly funnels: ReadonlyMap<string, LinkedFunnel>;
}

export interface LinkInput {
  readonly registries: Registries;
  readonly catalogue: ExecutorCatalogue;
  readonly files: ReferencedFiles;
  readonly tools: SchemaTools;
  readonly report: Report;
}

/**
 * Links skills, then topologies and funnels. References to nothing are reported, never thrown on.
 */
export function link(input: LinkInput): Linked {
  const { registries, catalogue, files, tools, report } = input;
  const skills = linkSkills(registries);
  const scope = { registries, skills, catalogue, files, tools, report };
  const topologies = linkTopologies(scope);
  const funnels = linkFunnels(scope);
  return { registries, skills, topologies, funnels, catalogue, files, tools };
}

/**
 * `topology-<name>` skills are offered to nobody unless an agent was granted them; the rest stay
 * listed.
 */
function reachableSkills(linked: Linked): ReadonlyMap<string, LinkedSkill> {
  const granted = new Set<string>();
  const visit = (agent: AgentNode): void => {
    for (const id of agent.skills) granted.add(id);
    agent.children.forEach(visit);
  };
  for (const topology of linked.topologies.values()) visit(topology.root);
  return new Map(
    [...linked.skills].filter(
      ([id]) => granted.has(id) || linked.registries.skills.has(id) || !id.startsWith('topology-'),
    ),
  );
}

/**
 * The immutable product, without the uses of keys that are not there yet. Call it only when nothing
 * was reported as an error.
 */
export function toWorkspace(root: string, linked: Linked): Omit<Workspace, 'notYet'> {
  const { registries } = linked;
  return {
    root,
    ...workspaceConfig(registries.config.value, registries.roles),
    ...servingConfig(registries.config.value),
    triggerSpecs: new Map([...registries.triggers].map(([id, { value }]) => [id, triggerSpec(id, value)] as const)),
    config: registries.config,
    topologies: linked.topologies,
    archetypes: registries.archetypes,
    skills: reachableSkills(linked),
    skillArtifacts: registries.skills,
    funnels: registries.funnels,
    linkedFunnels: linked.funnels,
    roles: registries.roles,
    contracts: registries.contracts,
    triggers: registries.triggers,
    adapters: linked.catalogue.adapters,
    providers: registries.providers,
    evalSets: registries.evalSets,
  };
}
