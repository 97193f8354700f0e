// The catalogue of skills and what comes from it, as `wire-skills.ts` makes it.
import {
  arrayOf,
  BOOLEAN,
  closed,
  described,
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
  installed: BOOLEAN,
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
  applied: nullable(closed({ skill_files: STRINGS, server: BOOLEAN, reloaded: BOOLEAN })),
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

const CHECK = closed({
  skill_id: STRING,
  server_id: STRING,
  tool: STRING,
  status: oneOf(['ok', 'missing', 'server-failed']),
  detail: STRING,
});
export type WireSkillCheck = TypeOf<typeof CHECK>;

/** `GET /api/skills/check`. */
export const SKILL_CHECKS = arrayOf(CHECK);
