import type { AgentNode } from '../../domain/agent-node.js';
import type { Artifact } from '../../domain/artifact.js';
import type { Agent, IntentMonitoring, SkillEntry, Topology } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { IntentSettings } from '../../domain/intent.js';
import type { JsonObject, JsonSchema } from '../../domain/json.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { didYouMean, orMake, type Place, type Report } from '../report.js';
import { type ExecutorCatalogue, executorChoice } from './executor.js';
import { mergeModel, modelChoice, systemPrompt } from './merge.js';
import { type ReferencedFiles, resolveSchema, type SchemaTools } from './output-schema.js';
import type { Checked, Registries } from './registries.js';
import { type EntryResult, type EntryScope, resolveEntry } from './skill-entries.js';

/** What an artifact with agents says of all of them; that of a reviewer says nothing. */
type Holder = JsonObject & Pick<Topology, 'intent_monitoring' | 'output_schema'>;

/** Everything that linking an agent looks up. */
export interface AgentScope {
  readonly topology: Artifact<Holder>;
  readonly name: string;
  readonly registries: Registries;
  readonly skills: ReadonlyMap<string, LinkedSkill>;
  readonly catalogue: ExecutorCatalogue;
  readonly files: ReferencedFiles;
  readonly tools: SchemaTools;
  readonly report: Report;
}

/** An archetype's skills: inside `defaults` or beside it (the schema refuses both at once). */
export const archetypeSkills = (
  archetype: Checked<'Archetype'> | null,
): { readonly entries: readonly SkillEntry[]; readonly pointer: string } => {
  const inside = archetype?.value.defaults.skills;
  return inside === undefined
    ? { entries: archetype?.value.skills ?? [], pointer: '/skills' }
    : { entries: inside, pointer: '/defaults/skills' };
};

function ownEntries(
  scope: AgentScope,
  entryScope: EntryScope,
  agent: Agent,
  pointer: string,
  key: 'skills' | 'skills_additional',
): readonly string[] {
  return (agent[key] ?? []).flatMap((entry, index) => {
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
  archetype: Checked<'Archetype'> | null,
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

function skillsOf(
  scope: AgentScope,
  agent: Agent,
  archetype: Checked<'Archetype'> | null,
  pointer: string,
): readonly string[] {
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
  agent: Agent,
  archetype: Checked<'Archetype'> | null,
  pointer: string,
  isRoot: boolean,
): JsonSchema | null {
  const { files, tools, report } = scope;
  const place = { artifact: scope.topology, pointer: pointerTo(pointer, 'output_schema') };
  const inherited = archetype?.value.defaults.output_schema;
  if (agent.output_schema !== undefined)
    return resolveSchema({ place, declaredIn: scope.topology.path, files, tools, report }, agent.output_schema);
  if (archetype !== null && inherited !== undefined) {
    const there = { artifact: archetype, pointer: '/defaults/output_schema' };
    return resolveSchema({ place: there, declaredIn: archetype.path, files, tools, report }, inherited);
  }
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
function descriptionOf(agent: Agent, archetype: Checked<'Archetype'> | null): Pick<AgentNode, 'description'> {
  const own = agent.description?.trim() ?? '';
  const shared = archetype?.value.metadata.description.trim() ?? '';
  const description = own === '' ? shared : own;
  return description === '' ? {} : { description };
}

const requiresOf = ({ requires = {} }: Agent): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(requires).map(([skill, needed]) => [skill, [...new Set(needed)]]));

/**
 * Links one agent and everything below it. References to nothing are left out of the node and
 * reported.
 */
export function linkAgent(scope: AgentScope, agent: Agent, pointer: string): AgentNode {
  const { archetype: archetypeId = null } = agent;
  const archetype = archetypeId === null ? null : (scope.registries.archetypes.get(archetypeId) ?? null);
  const defaults = archetype?.value.defaults;
  const iam = { ...defaults?.iam, ...agent.iam };
  const intent = linkIntent(scope.topology.value.intent_monitoring, agent.intent_monitoring);
  const isRoot = pointer === '/agents/root';
  return {
    id: agent.id,
    role: agent.role,
    archetype: archetypeId,
    ...descriptionOf(agent, archetype),
    executor: executorChoice(archetype, scope.catalogue),
    model: modelChoice(mergeModel(defaults?.model, agent.model)),
    systemPrompt: systemPrompt({ ...defaults?.prompt, ...agent.prompt }),
    skills: skillsOf(scope, agent, archetype, pointer),
    requires: requiresOf(agent),
    baseScope: iam.base_scope ?? [],
    elevatedScopes: iam.elevated_scopes ?? [],
    outputSchema: outputSchemaOf(scope, agent, archetype, pointer, isRoot),
    funnel: agent.funnel ?? null,
    ...(intent === null ? {} : { intent }),
    dependsOn: isRoot ? [] : [...new Set(agent.depends_on)],
    children: (agent.children ?? []).map((child, index) =>
      linkAgent(scope, child, pointerTo(pointer, 'children', index)),
    ),
    pointer,
  };
}

/**
 * `intent_monitoring` of an agent, key by key over its topology's; null where it is not enabled.
 */
function linkIntent(below: IntentMonitoring | undefined, own: IntentMonitoring | undefined): IntentSettings | null {
  const { enabled, threshold, on_drift: onDrift } = { enabled: false, ...DEFAULTS.IntentMonitoring, ...below, ...own };
  return enabled ? { threshold, onDrift } : null;
}

/** Says why an entry of an agent's `skills` list grants nothing. */
function reportEntry(
  report: Report,
  place: Place,
  result: Extract<EntryResult, { ok: false }>,
  known: readonly string[],
): void {
  switch (result.why) {
    case 'no-match':
      report.add(place, {
        code: 'agent.abstract-no-match',
        message: `no skill matches the abstract entry \`${result.word}\``,
        help: 'add a skill of that category whose id contains the capability',
      });
      return;
    case 'ambiguous':
      report.add(place, {
        code: 'agent.abstract-ambiguous',
        message: `several skills match the abstract entry \`${result.word}\`: ${result.candidates.join(', ')}`,
        help: 'narrow the capability, or name the skills of this agent one by one',
      });
      return;
    case 'unknown':
      report.add(place, {
        code: 'agent.unknown-skill',
        message: `no skill is called \`${result.word}\``,
        help: orMake(didYouMean(result.word, known), 'skill', result.word),
      });
      return;
  }
}
