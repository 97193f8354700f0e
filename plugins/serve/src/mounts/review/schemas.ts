import { arrayOf, BOOLEAN, closed, INTEGER, nullable, STRING, STRINGS, TIMESTAMP } from '../shared/schema.js';
import { ASKED_FIELDS } from './asked-schema.js';

export const STATUS = { type: 'string', enum: ['pending', 'approved', 'rejected', 'changes-requested'] };
export const KIND = { type: 'string', enum: ['permission', 'input', 'role_task', 'other'] };

/**
 * A review item with every field of the interface; an item that is no role task has null where a
 * role task has its gate and role.
 */
export const ITEM_FIELDS = {
  id: STRING,
  kind: KIND,
  agent_id: STRING,
  topology_id: STRING,
  run_id: STRING,
  skill_id: nullable(STRING),
  gate_id: nullable(STRING),
  role: nullable(STRING),
  scope: nullable(STRING),
  rule_index: nullable(INTEGER),
  round: INTEGER,
  status: STATUS,
  resolved_by: STRING,
  comment: STRING,
  answer: nullable(STRING),
  reason: STRING,
  capability: nullable(STRING),
  question: nullable(STRING),
  options: STRINGS,
  free_text_allowed: BOOLEAN,
  details: {},
  artifact_ref: STRING,
  stale: BOOLEAN,
  withdrawn: BOOLEAN,
  escalated: BOOLEAN,
  reopened: INTEGER,
  timestamp: TIMESTAMP,
  resolved_at: nullable(TIMESTAMP),
};

export const ITEM = closed(ITEM_FIELDS);

/** The same, with what is asked of whoever looks. */
export const ASKED_ITEM = closed({ ...ITEM_FIELDS, ...ASKED_FIELDS });

const RESOLUTION = closed({
  item_id: STRING,
  role: STRING,
  scope: STRING,
  status: STATUS,
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
  assurance: { type: 'string', enum: ['authenticated', 'asserted', 'system'] },
  identified: BOOLEAN,
  note: nullable(STRING),
});

const JUDGE = closed({ skill: STRING, verdict: STRING, confidence: { type: 'number' }, reasoning: STRING });

const EVIDENCE = closed({
  retries: INTEGER,
  escalated: BOOLEAN,
  failed_layers: STRINGS,
  critique: nullable(STRING),
  judge: nullable(JUDGE),
  findings: arrayOf({}),
  diff_sha256: nullable(STRING),
});

/** A gate in its newest round. */
const GATE_FIELDS = {
  gate_id: STRING,
  run_id: STRING,
  topology_id: STRING,
  agent_id: STRING,
  funnel_id: STRING,
  round: INTEGER,
  status: STATUS,
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

/** With what is asked at it. */
export const ASKED_GATE = closed({ ...GATE_FIELDS, ...ASKED_FIELDS });

/** A gate beside an item that tells what is asked. */
export const GATE = closed(GATE_FIELDS);

const ARTIFACT_FIELDS = {
  ref: STRING,
  correlation_id: nullable(STRING),
  run_id: STRING,
  name: STRING,
  sha256: STRING,
  media_type: STRING,
  size_bytes: INTEGER,
  created_at: TIMESTAMP,
};

export const ARTIFACTS = closed({
  correlation_id: nullable(STRING),
  run_id: nullable(STRING),
  refs: STRINGS,
  artifacts: arrayOf(closed(ARTIFACT_FIELDS)),
});

/** `encoding` is there only for bytes that are not UTF-8; `length` counts bytes. */
export const CONTENT = closed(
  { ...ARTIFACT_FIELDS, content: STRING, encoding: { type: 'string', enum: ['base64'] }, length: INTEGER },
  ['encoding'],
);

/** What people of another system decide, and where: nobody decides it here. */
export const ELSEWHERE = arrayOf(closed({ run: STRING, topology: STRING, agent: STRING, gate_url: STRING }));
