// What came of changes of files, and the sections of the workspace file.
import {
  arrayOf,
  BOOLEAN,
  closed,
  described,
  NO,
  nullable,
  OBJECT,
  type Schema,
  STRING,
  STRINGS,
  type TypeOf,
  YES,
} from './words.js';

const LINE: Schema<number | null> = { type: ['integer', 'null'], minimum: 1 };

const EDIT_PROBLEM = closed({
  code: STRING,
  message: STRING,
  path: described(STRING, 'File, relative to the workspace.'),
  pointer: described(STRING, 'JSON Pointer into the file.'),
  line: LINE,
});
export type WireEditProblem = TypeOf<typeof EDIT_PROBLEM>;

const EDITED = closed({
  valid: YES,
  topologies: STRINGS,
  skills: STRINGS,
  archetypes: STRINGS,
  written: BOOLEAN,
  reloaded: BOOLEAN,
});
const NOT_EDITED = closed({ valid: NO, errors: arrayOf(EDIT_PROBLEM) });

/** What a change came to, or what it would come to. */
export const EDIT_REPORT: Schema<TypeOf<typeof EDITED> | TypeOf<typeof NOT_EDITED>> = { oneOf: [EDITED, NOT_EDITED] };
export type WireEditReport = TypeOf<typeof EDIT_REPORT>;

export const FILE_TEXT = closed({ yaml: STRING });
export const FILE_DELETED = closed({ deleted: YES, id: STRING, reloaded: BOOLEAN });
export const ENTRY_SAVED = closed({ saved: YES, entry: STRING, reloaded: BOOLEAN });

/** Settings of a source of credentials, of a server or a sink are their own: they are open. */
const CREDENTIAL = closed({
  id: STRING,
  source: STRING,
  config: OBJECT,
  identity: nullable(STRING),
  resolves: BOOLEAN,
});
export type WireCredential = TypeOf<typeof CREDENTIAL>;

/** `GET /api/workspace/config`. */
export const WORKSPACE_CONFIG = closed({
  credentials: arrayOf(CREDENTIAL),
  mcp_servers: arrayOf(OBJECT),
  events: arrayOf(OBJECT),
});
export type WireWorkspaceConfig = TypeOf<typeof WORKSPACE_CONFIG>;
