// The catalogue of skills and what comes from it.
import type { JsonObject } from '../../domain/json.js';
import type { AppliedSkills, CatalogueReport, ImportPlan, SkillCheck, SkillPlan, SkillRow } from '../skill-report.js';
import { toWire } from './codec.js';
import {
  arrayOf,
  BOOLEAN,
  closed,
  described,
  held,
  nullable,
  OBJECT,
  oneOf,
  recordOf,
  STRING,
  STRINGS,
  TEXT_OR_NULL,
  type TypeOf,
} from './words.js';

const STATE = oneOf(['new', 'same', 'differs']);

const BUNDLE = closed({
  id: STRING,
  name: STRING,
  description: STRING,
  skills: STRINGS,
  verification: STRING,
  requires_runtime: TEXT_OR_NULL,
  needs: described(STRINGS, 'Programs that have to be on PATH.'),
});

const OFFERED = closed({
  id: STRING,
  bundle: STRING,
  name: STRING,
  description: STRING,
  backing: STRING,
  server: TEXT_OR_NULL,
  installed: held('isInstalled', BOOLEAN),
});

/** `GET /api/skill-catalogue`. */
export const SKILL_CATALOGUE = closed({
  source: described(STRING, '`bundled`, a directory, or an address.'),
  bundles: arrayOf(BUNDLE),
  skills: arrayOf(OFFERED),
  broken: arrayOf(closed({ id: STRING, problem: STRING })),
});
export type WireCatalogue = TypeOf<typeof SKILL_CATALOGUE>;

/** What is written, or was. What an entry of the workspace file says is its own: it is open. */
export const SKILLS_ADDED = closed({
  skill_files: described(recordOf(STRING), 'Path to text.'),
  file_states: recordOf(STATE),
  server_entry: nullable(OBJECT),
  server_state: nullable(STATE),
  credential_entries: arrayOf(closed({ section: STRING, id: STRING, value: OBJECT, state: STATE })),
  notes: STRINGS,
  digest: STRING,
  applied: nullable(closed({ skill_files: held('files', STRINGS), server: BOOLEAN, reloaded: BOOLEAN })),
});
export type WireSkillPlan = TypeOf<typeof SKILLS_ADDED>;

export const SKILL_IMPORTED = closed({
  id: STRING,
  path: STRING,
  skill: described(STRING, 'The converted skill as YAML.'),
  documents: STRINGS,
  left_out: STRINGS,
  notes: STRINGS,
  written: BOOLEAN,
});
export type WireImport = TypeOf<typeof SKILL_IMPORTED>;

export const SKILL_CHECK = closed({
  skill_id: held('skill', STRING),
  server_id: held('server', STRING),
  tool: STRING,
  status: oneOf(['ok', 'missing', 'server-failed']),
  detail: STRING,
});
export type WireSkillCheck = TypeOf<typeof SKILL_CHECK>;

/** `GET /api/skills/check`. */
export const SKILL_CHECKS = arrayOf(SKILL_CHECK);

/** A skill of a workspace as CLI and HTTP show it. */
export const toWireSkillRow = ({ id, name, category, backing, server, path, heldBy }: SkillRow): JsonObject => ({
  id,
  name,
  category,
  backing,
  server,
  path,
  held_by: [...heldBy],
});

/** The catalogue as CLI and HTTP show it. */
export const toWireCatalogue = (report: CatalogueReport): WireCatalogue => toWire(SKILL_CATALOGUE, report);

/** What a search found. */
export const toWireFoundSkills = ({ skills, workspace }: CatalogueReport): JsonObject => ({
  catalogue: skills.map(({ id, bundle, name, description, backing, isInstalled }) => ({
    id,
    bundle,
    name,
    description,
    backing,
    installed: isInstalled,
  })),
  workspace: [...workspace],
});

/** What would be written, or was. `applied`: null = nothing was. */
export const toWireSkillPlan = (plan: SkillPlan, applied: AppliedSkills | null): WireSkillPlan =>
  toWire(SKILLS_ADDED, {
    ...plan,
    skillFiles: Object.fromEntries(plan.files.map(({ path, text }) => [path, text])),
    fileStates: Object.fromEntries(plan.files.map(({ path, state }) => [path, state])),
    serverEntry: plan.server?.value ?? null,
    serverState: plan.server?.state ?? null,
    credentialEntries: plan.credentials,
    applied,
  });

/** A SKILL.md as it became, or would become, a skill. */
export const toWireImport = (plan: ImportPlan, applied: AppliedSkills | null): WireImport =>
  toWire(SKILL_IMPORTED, {
    ...plan,
    id: plan.skill,
    skill: plan.files.find(({ path }) => path === plan.path)?.text ?? '',
    documents: plan.files.flatMap(({ path }) => (path === plan.path ? [] : [path])),
    written: applied !== null,
  });

/** Whether the tool behind a skill is there. */
export const toWireSkillCheck = (check: SkillCheck): WireSkillCheck => toWire(SKILL_CHECK, check);
