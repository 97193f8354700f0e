// What harnesses changed, as `toWireChange` makes it.
import { arrayOf, BOOLEAN, closed, INTEGER, nullable, STRING, STRINGS, type TypeOf } from './words.js';

const FILE = closed({
  path: STRING,
  old_path: nullable(STRING),
  change: STRING,
  binary: BOOLEAN,
  added: INTEGER,
  removed: INTEGER,
});

const SIGNED = closed({
  gate_id: STRING,
  round: INTEGER,
  status: STRING,
  by: STRINGS,
  artifact_sha256: STRING,
  same_bytes: BOOLEAN,
});

const CHANGE = closed({
  agent_id: STRING,
  activation: STRING,
  state: STRING,
  reason: nullable(STRING),
  base_commit: nullable(STRING),
  sha256: STRING,
  files: arrayOf(FILE),
  signed: nullable(SIGNED),
  diff: STRING,
});
export type WireChange = TypeOf<typeof CHANGE>;

/** `GET /jobs/{id}/changes`. */
export const CHANGES = closed({ run_id: STRING, changes: arrayOf(CHANGE) });
