import type { AgentNode } from '../../domain/agent-node.js';
import type { Json, JsonObject, JsonSchema } from '../../domain/json.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { listAt, objectAt, objectsAt, textAt, textsAt } from '../read.js';
import type { Report } from '../report.js';
import { type ExecutorCatalogue, executorChoice } from './executor.js';
import { linkIntent } from './intent.js';
import { mergeBlock, mergeModel, modelChoice, systemPrompt } from './merge.js';
import { type ReferencedFiles, resolveSchema, type SchemaTools } from './output-schema.js';
import type { Art, Registries } from './registries.js';
import { reportEntry } from './report-entry.js';
import { type EntryScope, resolveEntry } from './skill-entries.js';

/** Everything that linking an agent looks up. */
export interface AgentScope {
  readonly topology: Art;
  readonly name: string;
  readonly registries: Registries;
  readonly skills: ReadonlyMap<string, LinkedSkill>;
  readonly catalogue: ExecutorCatalogue;
  readonly files: ReferencedFiles;
  readonly tools: SchemaTools;
  readonly report: Report;
}

const ROLES: readonly AgentNode['role'][] = ['root', 'leader', 'worker'];

/** An archetype's skills: inside `defaults` or beside it (the schema refuses both at once). */
export const archetypeSkills = (
  archetype: Art | null,
): { readonly entries: readonly Json[]; readonly pointer: string } => {
  const inside = objectAt(archetype?.value ?? null, 'defaults');
  return inside?.skills === undefined
    ? { entries: listAt(archetype?.value ?? null, 'skills'), pointer: '/skills' }
    : { entries: listAt(inside, 'skills'), pointer: '/defaults/skills' };
};

function ownEntries(
  scope: AgentScope,
  entryScope: EntryScope,
  agent: JsonObject,
  pointer: string,
  key: string,
): readonly string[] {
  return listAt(agent, key).flatMap((entry, index) => {
    const result = resolveEntry(entryScope, entry);
    if (result.ok) return result.ids;
    reportEntry(scope.report, { artifact: scope.topology, pointer: pointerTo(pointer, key, index) }, result, [
      ...scope.skills.keys(),
    ]);
    return [];
  });
}

/**
 * Entries that an archetype brings: an unknown one was reported at the archetype, an abstract one
 * concerns this agent.
 */
function inheritedEntries(
  scope: AgentScope,
  entryScope: EntryScope,
  archetype: Art | null,
  pointer: string,
): readonly string[] {
  return archetypeSkills(archetype).entries.flatMap((entry, index) => {
    const result = resolveEntry(entryScope, entry);
    if (result.ok) return result.ids;
    if (result.why === 'no-match' || result.why === 'ambiguous') {
      reportEntry(scope.report, { artifact: scope.topology, pointer: pointerTo(pointer, 'skills', index) }, result, []);
    }
    return [];
  });
}

function skillsOf(scope: AgentScope, agent: JsonObject, archetype: Art | null, pointer: string): readonly string[] {
  const entryScope: EntryScope = { registries: scope.registries, skills: scope.skills, topology: scope.name };
  const base =
    agent.skills === undefined
      ? inheritedEntries(scope, entryScope, archetype, pointer)
      : ownEntries(scope, entryScope, agent, pointer, 'skills');
  return [...new Set([...base, ...ownEntries(scope, entryScope, agent, pointer, 'skills_additional')])];
}

/**
 * Agent, then archetype, then (root alone) the topology; an explicit null ends the search
 * (docs/design/workspace.md#merging).
 */
function outputSchemaOf(
  scope: AgentScope,
  agent: JsonObject,
  archetype: Art | null,
  pointer: string,
  isRoot: boolean,
): JsonSchema | null {
  const { files, tools, report } = scope;
  const place = { artifact: scope.topology, pointer: pointerTo(pointer, 'output_schema') };
  const inherited = objectAt(archetype?.value ?? null, 'defaults');
  if (agent.output_schema !== undefined)
    return resolveSchema({ place, declaredIn: scope.topology.path, files, tools, report }, agent.output_schema);
  if (inherited?.output_schema !== undefined)
    return resolveSchema({ place, declaredIn: archetype?.path ?? '', files, tools, report }, inherited.output_schema);
  const own = scope.topology.value.output_schema;
  if (!isRoot || own === undefined) return null;
  return resolveSchema(
    {
      place: { artifact: scope.topology, pointer: '/output_schema' },
      declaredIn: scope.topology.path,
      files,
      tools,
      report,
    },
    own,
  );
}

/** Its own words win over those of its archetype. */
function descriptionOf(agent: JsonObject, archetype: Art | null): Pick<AgentNode, 'description'> {
  const own = textAt(agent, 'description')?.trim() ?? '';
  const shared = textAt(objectAt(archetype?.value ?? null, 'metadata'), 'description')?.trim() ?? '';
  const description = own === '' ? shared : own;
  return description === '' ? {} : { description };
}

function requiresOf(agent: JsonObject): Readonly<Record<string, readonly string[]>> {
  const block = objectAt(agent, 'requires') ?? {};
  return Object.fromEntries(Object.keys(block).map((skill) => [skill, [...new Set(textsAt(block, skill))]]));
}

/**
 * Links one agent and everything below it. References to nothing are left out of the node and
 * reported.
 */
export function linkAgent(scope: AgentScope, agent: JsonObject, pointer: string): AgentNode {
  const archetypeId = textAt(agent, 'archetype');
  const archetype = archetypeId === null ? null : (scope.registries.archetypes.get(archetypeId) ?? null);
  const defaults = objectAt(archetype?.value ?? null, 'defaults');
  const merged = (key: string) => mergeBlock(objectAt(defaults, key), objectAt(agent, key));
  const iam = merged('iam');
  const intent = linkIntent(scope.topology.value, agent);
  const isRoot = pointer === '/agents/root';
  return {
    id: textAt(agent, 'id') ?? '',
    role: ROLES.find((role) => role === textAt(agent, 'role')) ?? 'worker',
    archetype: archetypeId,
    ...descriptionOf(agent, archetype),
    executor: executorChoice(archetype, scope.catalogue),
    model: modelChoice(mergeModel(objectAt(defaults, 'model'), objectAt(agent, 'model'))),
    systemPrompt: systemPrompt(merged('prompt')),
    skills: skillsOf(scope, agent, archetype, pointer),
    requires: requiresOf(agent),
    baseScope: textsAt(iam, 'base_scope'),
    elevatedScopes: textsAt(iam, 'elevated_scopes'),
    outputSchema: outputSchemaOf(scope, agent, archetype, pointer, isRoot),
    funnel: textAt(agent, 'funnel'),
    ...(intent === null ? {} : { intent }),
    dependsOn: isRoot ? [] : [...new Set(textsAt(agent, 'depends_on'))],
    children: objectsAt(agent, 'children').map((child, index) =>
      linkAgent(scope, child, pointerTo(pointer, 'children', index)),
    ),
    pointer,
  };
}
