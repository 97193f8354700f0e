import { parseSource } from '../../../compile/parse/parse-source.js';
import { objectAt, textAt, textsAt } from '../../../compile/read.js';
import type { JsonObject } from '../../../domain/json.js';
import type { BundleRow, OfferedSkill } from '../../../view/skill-report.js';

/** A skill of a catalogue, with its file as it would be written. */
export interface CatalogueSkill extends Omit<OfferedSkill, 'isInstalled'> {
  readonly text: string;
}

/** Skills that belong together, with the server that carries them out. */
export interface Bundle extends Omit<BundleRow, 'skills'> {
  /** What to know before its skills are used, a sentence each. */
  readonly notes: readonly string[];
  /** Entry of `mcp_servers`; null = its skills need none. */
  readonly server: (JsonObject & { readonly id: string }) | null;
  /** Entries of `credentials` that the server names. */
  readonly credentials: Readonly<Record<string, JsonObject>>;
  readonly skills: readonly CatalogueSkill[];
}

/** Why a bundle cannot be added. */
export interface BrokenBundle {
  readonly id: string;
  readonly problem: string;
}

export type ReadBundle =
  | { readonly ok: true; readonly bundle: Bundle }
  | { readonly ok: false; readonly problem: string };

/** Ids as the schemas allow them; what is not an id names no file either. */
export const SKILL_ID = /^[a-z][a-z0-9-]{0,99}$/;
export const MAX_SKILLS = 100;

export const bundlePath = (bundle: string): string => `skills/${bundle}/bundle.yaml`;
export const skillPath = (bundle: string, skill: string): string => `skills/${bundle}/skills/${skill}.yaml`;

/** Text of a catalogue ends in sentences for people: one line, and not a page. */
const line = (value: string | null): string => (value ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 500);

/** The ids of the skills that a bundle lists; null = the file is none. */
export function skillsOfBundle(id: string, text: string): readonly string[] | null {
  const { parsed } = parseSource({ path: bundlePath(id), text });
  return parsed === null ? null : textsAt(parsed.value, 'skills').slice(0, MAX_SKILLS + 1);
}

function readSkill(bundle: string, id: string, text: string): CatalogueSkill | string {
  const path = skillPath(bundle, id);
  const { parsed, diagnostics } = parseSource({ path, text });
  if (parsed === null) return `${path} cannot be read: ${diagnostics[0]?.message ?? 'it is not a mapping'}`;
  const metadata = objectAt(parsed.value, 'metadata');
  const implementation = objectAt(parsed.value, 'implementation');
  if (textAt(parsed.value, 'kind') !== 'Skill') return `${path} is not a Skill`;
  if (textAt(metadata, 'id') !== id) return `${path} calls itself ${line(textAt(metadata, 'id')) || 'nothing'}`;
  return {
    id,
    bundle,
    name: line(textAt(metadata, 'name')),
    description: line(textAt(metadata, 'description')),
    backing: line(textAt(implementation, 'type')),
    server: textAt(implementation, 'server'),
    text,
  };
}

function serverOf(value: JsonObject): Bundle['server'] | string {
  const server = objectAt(value, 'server');
  if (server === null) return null;
  const id = textAt(server, 'id');
  return id === null || !SKILL_ID.test(id) ? 'its server has no id' : { ...server, id };
}

/** Entries of `credentials`; what is not a mapping is left out. */
const credentialsOf = (value: JsonObject): Bundle['credentials'] =>
  Object.fromEntries(
    Object.keys(objectAt(value, 'credentials') ?? {}).flatMap((name) => {
      const entry = objectAt(objectAt(value, 'credentials'), name);
      return entry === null ? [] : [[name, entry] as const];
    }),
  );

/**
 * A bundle from the text of its files. Pure. `textOf`: the file of a skill; null = there is none.
 * What is wrong with one skill is wrong with the bundle: half of it is never offered.
 */
export function readBundle(id: string, text: string, textOf: (skill: string) => string | null): ReadBundle {
  const fail = (problem: string): ReadBundle => ({ ok: false, problem });
  const { parsed, diagnostics } = parseSource({ path: bundlePath(id), text });
  if (parsed === null)
    return fail(`${bundlePath(id)} cannot be read: ${diagnostics[0]?.message ?? 'it is not a mapping'}`);
  const { value } = parsed;
  if (textAt(value, 'id') !== id)
    return fail(`${bundlePath(id)} calls itself ${line(textAt(value, 'id')) || 'nothing'}`);
  const floor = textAt(value, 'requires_runtime');
  if (floor !== null && !/^>=\d+\.\d+\.\d+$/.test(floor))
    return fail(`requires_runtime is not a floor: ${line(floor)}`);
  const ids = textsAt(value, 'skills');
  if (ids.length === 0 || ids.length > MAX_SKILLS) return fail(`it lists ${ids.length} skills`);
  const wrong = ids.find((skill) => !SKILL_ID.test(skill));
  if (wrong !== undefined) return fail(`${line(wrong)} is not an id of a skill`);
  const twice = ids.find((skill, at) => ids.indexOf(skill) !== at);
  if (twice !== undefined) return fail(`it lists ${twice} twice`);
  const server = serverOf(value);
  if (typeof server === 'string') return fail(server);
  const skills = ids.map((skill) => {
    const found = textOf(skill);
    return found === null ? `${skillPath(id, skill)} is not there` : readSkill(id, skill, found);
  });
  const problem = skills.find((skill) => typeof skill === 'string');
  if (problem !== undefined) return fail(problem);
  return {
    ok: true,
    bundle: {
      id,
      name: line(textAt(value, 'name')) || id,
      description: line(textAt(value, 'description')),
      verification: line(textAt(value, 'verification')),
      requiresRuntime: floor,
      needs: textsAt(value, 'needs').map(line),
      notes: textsAt(value, 'notes').map(line),
      server,
      credentials: credentialsOf(value),
      skills: skills.filter((skill) => typeof skill !== 'string'),
    },
  };
}
