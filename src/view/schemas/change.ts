// What harnesses changed, as `toWireChange` makes it.
import type { AgentChange, ChangedFile, SignedChange } from '../../domain/changes.js';
import { toWire } from './codec.js';
import {
  arrayOf,
  BOOLEAN,
  closed,
  described,
  held,
  INTEGER,
  nullable,
  recordOf,
  type Schema,
  STRING,
  STRINGS,
  type TypeOf,
} from './words.js';

const FILE = closed({
  path: STRING,
  old_path: nullable(STRING),
  change: STRING as Schema<ChangedFile['change']>,
  binary: held('isBinary', BOOLEAN),
  added: INTEGER,
  removed: INTEGER,
});

const SIGNED = closed({
  gate_id: STRING,
  round: INTEGER,
  status: STRING as Schema<SignedChange['status']>,
  by: STRINGS,
  artifact_sha256: STRING,
  same_bytes: held('isSame', BOOLEAN),
});

export const CHANGE = closed({
  agent_id: STRING,
  activation: STRING,
  state: STRING as Schema<AgentChange['state']>,
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

/** What one activation of a harness changed, as CLI and HTTP show it. */
export const toWireChange = (change: AgentChange): WireChange => toWire(CHANGE, change);

export const DIFFS = described(
  closed({
    job_id: STRING,
    diffs: recordOf(STRING),
    length: described(INTEGER, 'Characters of all diffs.'),
  }),
  'Unified diffs by agent.',
);
export type WireDiffs = TypeOf<typeof DIFFS>;
