import { isAbsolute, join } from 'node:path';
import { compareVersions } from '../../compile/link/topology-of.js';
import { parseSource } from '../../compile/parse/parse-source.js';
import { objectAt, objectsAt, textAt } from '../../compile/read.js';
import { KitError } from '../../domain/errors.js';
import { INTERFACE_LEVEL } from '../../domain/interface-level.js';
import { findFile, readArtifactFiles } from '../editing/artifact-files.js';
import type { CommitDeps } from '../editing/commit.js';
import { openConfig } from '../editing/workspace-config.js';
import { openWorkspaceFiles, type WorkspaceFiles } from '../workspace-files.js';
import { type Bundle, type CatalogueSkill, SKILL_ID } from './catalogue/bundle.js';
import type { Catalogue } from './catalogue/read-catalogue.js';
import type { FetchText } from './catalogue/sources.js';
import { type ChangeSet, digestOf, type Prepared, prepare, stateOfEntry, stateOfFile } from './change-set.js';
import { skillRefused, skillUnknown } from './refusals.js';
import type { AddSkills, ConfigEntry, SkillPlan } from './skills-app.js';

export interface PlanDeps extends Pick<CommitDeps, 'compile'> {
  readonly fetchText: FetchText;
  readonly catalogue: (refresh: boolean) => Promise<Catalogue>;
}

/** Skills and what they bring along, before the workspace is looked at. */
interface Choice {
  readonly skills: readonly Pick<CatalogueSkill, 'id' | 'text' | 'server'>[];
  readonly bundle: Bundle | null;
}

const isUrl = (ref: string): boolean => /^https?:\/\//i.test(ref);
const isPath = (ref: string): boolean => /[/\\]|\.(ya?ml|json)$/.test(ref);

/** A file of somebody, which says itself which skill it is. */
function chosenFile(name: string, text: string): Choice {
  const { parsed, diagnostics } = parseSource({ path: name, text });
  if (parsed === null)
    throw skillRefused(`${name} cannot be read: ${diagnostics[0]?.message ?? 'it is not a mapping'}`);
  const id = textAt(objectAt(parsed.value, 'metadata'), 'id');
  if (textAt(parsed.value, 'kind') !== 'Skill' || id === null || !SKILL_ID.test(id))
    throw skillRefused(`${name} is not a Skill with an id`, [], 'A SKILL.md becomes one with `kit skill import`.');
  return { skills: [{ id, text, server: textAt(objectAt(parsed.value, 'implementation'), 'server') }], bundle: null };
}

async function fetched(url: string, { fetchText }: Pick<PlanDeps, 'fetchText'>): Promise<string> {
  const { status, text } = await fetchText(url);
  if (status === 200) return text;
  throw skillUnknown(`${url.replace(/[?#].*$/, '')} answers ${status}`, url, []);
}

/** What a file or an address holds. Throws KIT_SKILL_UNKNOWN, and what the request throws. */
export async function textAtPlace(
  place: string,
  cwd: string,
  deps: Pick<PlanDeps, 'fetchText' | 'compile'>,
): Promise<string> {
  if (isUrl(place)) return fetched(place, deps);
  const text = await deps.compile.files.readText(isAbsolute(place) ? place : join(cwd, place));
  if (text !== null) return text;
  throw skillUnknown(`there is no file ${place}`, place, []);
}

function chosenFrom({ source, bundles, broken }: Catalogue, ref: string): Choice {
  const bundle = bundles.find(({ id }) => id === ref);
  if (bundle !== undefined) return { skills: bundle.skills, bundle };
  const found = bundles.flatMap((one) =>
    one.skills.filter(({ id }) => id === ref).map((skill) => ({ skill, bundle: one })),
  );
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return { skills: [only.skill], bundle: only.bundle };
  if (only !== undefined)
    throw skillRefused(
      `${ref} stands in several bundles: ${found.map((one) => one.bundle.id).join(', ')}`,
      [],
      'Add one of the bundles.',
    );
  const wrong = broken.find(({ id }) => id === ref);
  if (wrong !== undefined)
    throw skillRefused(`the bundle ${ref} of the catalogue ${source} is broken: ${wrong.problem}`);
  const known = bundles.flatMap(({ id, skills }) => [id, ...skills.map((skill) => skill.id)]);
  throw skillUnknown(`the catalogue ${source} has no bundle and no skill \`${ref.slice(0, 80)}\``, ref, known);
}

async function choose({ ref, cwd, refresh }: AddSkills, deps: PlanDeps): Promise<Choice> {
  if (SKILL_ID.test(ref)) return chosenFrom(await deps.catalogue(refresh), ref);
  if (cwd === null || (!isUrl(ref) && !isPath(ref)))
    throw skillUnknown(`\`${ref.slice(0, 80)}\` is not an id of a bundle or a skill`, ref, []);
  return chosenFile(ref, await textAtPlace(ref, cwd, deps));
}

/** Throws KIT_SKILL_REFUSED, naming both versions. */
function assertFloor({ bundle }: Choice): void {
  const floor = bundle?.requiresRuntime?.slice(2) ?? null;
  if (bundle === null || floor === null || compareVersions(floor, INTERFACE_LEVEL) <= 0) return;
  throw skillRefused(
    `the bundle ${bundle.id} needs runtime ${floor}, this kit implements ${INTERFACE_LEVEL}`,
    [],
    'Upgrade kit with `kit upgrade`, or choose another bundle.',
  );
}

/** Others that call a server whose entry is about to be another one. */
async function replacedFor(
  place: WorkspaceFiles,
  server: ConfigEntry,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (server.state !== 'differs') return [];
  const files = await readArtifactFiles(place, 'skills');
  const users = files.filter(
    ({ name, value }) => !ids.includes(name) && textAt(objectAt(value, 'implementation'), 'server') === server.id,
  );
  return users.length === 0
    ? []
    : [`the server ${server.id} is called by ${users.map(({ name }) => name).join(', ')} too, which get the new entry`];
}

/** Entries that the choice brings along, as the workspace stands. */
async function entriesFor(
  workspace: string,
  { skills, bundle }: Choice,
  deps: PlanDeps,
): Promise<{
  readonly server: ConfigEntry | null;
  readonly credentials: readonly ConfigEntry[];
  readonly notes: readonly string[];
}> {
  const calls = skills.flatMap(({ server }) => (server === null ? [] : [server]));
  const own = bundle?.server ?? null;
  const declared = objectsAt((await openConfig(workspace, deps)).value, 'mcp_servers').map((one) => textAt(one, 'id'));
  const missing = [...new Set(calls)].filter((id) => id !== own?.id && !declared.includes(id));
  const notes = missing.map(
    (id) => `the server ${id} is not declared here: add it to mcp_servers before the skill is used`,
  );
  if (own === null || !calls.includes(own.id)) return { server: null, credentials: [], notes };
  const server = await stateOfEntry(workspace, { section: 'mcp_servers', id: own.id, value: own }, deps);
  const credentials = await Promise.all(
    Object.entries(bundle?.credentials ?? {}).map(([id, value]) =>
      stateOfEntry(workspace, { section: 'credentials', id, value }, deps),
    ),
  );
  const kept = credentials.filter(({ state }) => state === 'differs');
  return {
    server,
    credentials,
    notes: [...notes, ...kept.map(({ id }) => `the credential ${id} is there already and stays as it is`)],
  };
}

/** A plan with what writes it. */
export interface PlannedAdd {
  readonly plan: SkillPlan;
  readonly prepared: Prepared;
}

/** See `SkillsApp.planAdd`. */
export async function planAdd(ask: AddSkills, deps: PlanDeps): Promise<PlannedAdd> {
  const { workspace } = ask;
  const place = await openWorkspaceFiles(workspace, deps.compile.files);
  const choice = await choose(ask, deps);
  assertFloor(choice);
  const there = await readArtifactFiles(place, 'skills');
  const files = await Promise.all(
    choice.skills.map(({ id, text }) => stateOfFile(place, findFile(there, id)?.path ?? `skills/${id}.yaml`, text)),
  );
  const { server, credentials, notes } = await entriesFor(workspace, choice, deps);
  const changes: ChangeSet = { files, entries: [...(server === null ? [] : [server]), ...credentials] };
  const prepared = await prepare(workspace, changes, deps);
  const needs = choice.bundle?.needs ?? [];
  const ids = choice.skills.map(({ id }) => id);
  return {
    prepared,
    plan: {
      files,
      server,
      credentials,
      notes: [
        ...(server === null || needs.length === 0 ? [] : [`it needs ${needs.join(' and ')} on PATH`]),
        ...(server === null ? [] : (choice.bundle?.notes ?? [])),
        ...notes,
        ...(server === null ? [] : await replacedFor(place, server, ids)),
      ],
      digest: digestOf(changes),
    },
  };
}

/** Throws KIT_CATALOGUE_CHANGED for another plan than the one that was agreed to. */
export function assertAgreed({ digest }: SkillPlan, agreed: string): void {
  if (digest === agreed) return;
  throw new KitError(
    'KIT_CATALOGUE_CHANGED',
    'what would be written is not what was agreed to: the catalogue has changed',
  );
}
