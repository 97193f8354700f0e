// What `toWireGate` makes: a gate in its newest round.
import { ASKED_FIELDS, ITEM, ITEM_STATUS } from './item.js';
import {
  ANY,
  arrayOf,
  BOOLEAN,
  closed,
  INTEGER,
  NUMBER,
  nullable,
  oneOf,
  STRING,
  STRINGS,
  TIMESTAMP,
  type TypeOf,
} from './words.js';

const RESOLUTION = closed({
  item_id: STRING,
  role: STRING,
  scope: STRING,
  status: ITEM_STATUS,
  resolved_by: STRING,
  comment: STRING,
  round: INTEGER,
  at: TIMESTAMP,
  stale: BOOLEAN,
  carried_from: nullable(INTEGER),
});

const ACTOR = closed({
  item_id: STRING,
  rule_index: INTEGER,
  role: STRING,
  scope: STRING,
  members: STRINGS,
  command: nullable(STRING),
});

const AUTHOR = closed({
  identity: STRING,
  person: STRING,
  assurance: oneOf(['authenticated', 'asserted', 'system']),
  identified: BOOLEAN,
  note: nullable(STRING),
});

const EVIDENCE = closed({
  retries: INTEGER,
  escalated: BOOLEAN,
  failed_layers: STRINGS,
  critique: nullable(STRING),
  judge: nullable(closed({ skill: STRING, verdict: STRING, confidence: NUMBER, reasoning: STRING })),
  findings: arrayOf(ANY),
  diff_sha256: nullable(STRING),
});

const GATE_FIELDS = {
  gate_id: STRING,
  run_id: STRING,
  topology_id: STRING,
  agent_id: STRING,
  funnel_id: STRING,
  round: INTEGER,
  status: ITEM_STATUS,
  resolved: BOOLEAN,
  quorum_evaluated: BOOLEAN,
  artifact_ref: STRING,
  sha256: STRING,
  media_type: STRING,
  items: arrayOf(ITEM),
  resolutions: arrayOf(RESOLUTION),
  distinct_approvers: STRINGS,
  min_distinct_approvers: nullable(INTEGER),
  outstanding: STRINGS,
  who_can_act: arrayOf(ACTOR),
  stuck: STRINGS,
  halted: nullable(STRING),
  exclude_author: BOOLEAN,
  exclude_author_unapplied: BOOLEAN,
  author: AUTHOR,
  earlier_authors: arrayOf(closed({ identity: STRING, person: STRING, run_id: STRING })),
  evidence: EVIDENCE,
  escalated_to: STRINGS,
  opened_at: TIMESTAMP,
  expires_at: nullable(TIMESTAMP),
  expired: BOOLEAN,
  decided_at: nullable(TIMESTAMP),
  withdrawn: BOOLEAN,
};

/** A gate beside an item that tells what is asked. */
export const GATE = closed(GATE_FIELDS);
export type WireGate = TypeOf<typeof GATE>;

/** With what is asked at it. */
export const ASKED_GATE = closed({ ...GATE_FIELDS, ...ASKED_FIELDS });
