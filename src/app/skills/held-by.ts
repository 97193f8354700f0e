import { KIND_FOLDERS } from '../../compile/discover/layout.js';
import { parseSource } from '../../compile/parse/parse-source.js';
import { listAt, objectAt, objectsAt, textAt, textsAt } from '../../compile/read.js';
import type { SourceFile } from '../../domain/diagnostic.js';
import type { JsonObject } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';

/** Somebody who names a skill, and the name. */
interface Use {
  readonly skill: string;
  readonly holder: string;
}

const uses = (holder: string, skills: readonly string[]): readonly Use[] => skills.map((skill) => ({ skill, holder }));

/** Ids in a list of skills; `pack:` and `server:` entries name none. */
const named = (value: JsonObject | null, key: string): readonly string[] =>
  listAt(value, key).filter((entry) => typeof entry === 'string' && !entry.includes(':')) as readonly string[];

const bindings = (value: JsonObject): readonly string[] =>
  objectsAt(objectAt(value, 'governance'), 'decision_skills').flatMap((binding) => textAt(binding, 'id') ?? []);

function ofAgent(topology: string, agent: JsonObject): readonly Use[] {
  const holder = `agent ${topology}/${textAt(agent, 'id') ?? textAt(agent, 'role') ?? 'root'}`;
  return [
    ...uses(holder, [...named(agent, 'skills'), ...named(agent, 'skills_additional')]),
    ...objectsAt(agent, 'children').flatMap((child) => ofAgent(topology, child)),
  ];
}

function ofTopology(value: JsonObject): readonly Use[] {
  const name = textAt(objectAt(value, 'metadata'), 'name') ?? '';
  const root = objectAt(objectAt(value, 'agents'), 'root');
  return [...uses(`binding of ${name}`, bindings(value)), ...(root === null ? [] : ofAgent(name, root))];
}

const KIND_OF_FOLDER = new Map(KIND_FOLDERS.map(({ folder, kind }) => [folder, kind] as const));

function usesIn({ path, text }: SourceFile): readonly Use[] {
  const value = parseSource({ path, text }).parsed?.value;
  if (value === undefined) return [];
  const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
  const id = textAt(objectAt(value, 'metadata'), 'id') ?? path;
  switch (KIND_OF_FOLDER.get(folder) ?? (folder === '' ? 'Workspace' : null)) {
    case 'Archetype':
      return uses(`archetype ${id}`, [...named(value, 'skills'), ...named(objectAt(value, 'defaults'), 'skills')]);
    case 'Topology':
      return ofTopology(value);
    case 'Skill':
      return uses(`skill ${id}`, textsAt(objectAt(value, 'implementation'), 'composes'));
    case 'Funnel': {
      const judge = objectAt(value, 'judge');
      const skill = isObject(judge) ? textAt(judge, 'skill') : null;
      return skill === null ? [] : uses(`judge of ${id}`, [skill]);
    }
    case 'EvalSet':
      return uses(
        `eval set ${id}`,
        objectsAt(value, 'cases').flatMap((one) => textAt(objectAt(one, 'expect'), 'judge') ?? []),
      );
    case 'Workspace':
      return uses('binding of the workspace', bindings(value));
    default:
      return [];
  }
}

/**
 * Who names each skill of a workspace, as its files say it: also of one that has errors. Pure.
 */
export function holdersOf(sources: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { skill, holder } of sources.flatMap(usesIn))
    found.set(skill, (found.get(skill) ?? new Set()).add(holder));
  return new Map([...found].map(([skill, holders]) => [skill, [...holders].sort()] as const));
}
