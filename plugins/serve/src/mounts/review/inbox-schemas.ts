import { JOB_RECORD_SCHEMA } from '@kit-run/kit/command';
import { arrayOf, BOOLEAN, closed, INTEGER, NUMBER, nullable, STRING, STRINGS, TIMESTAMP } from '../shared/schema.js';
import { ASKED_FIELDS } from './asked-schema.js';
import { ELSEWHERE, GATE, ITEM_FIELDS } from './schemas.js';

const ROW_FIELDS = {
  ...ITEM_FIELDS,
  ...ASKED_FIELDS,
  expires_at: nullable(TIMESTAMP),
  judge_score: nullable(NUMBER),
  checks_escalated: BOOLEAN,
};

/** A page of the caller's inbox. `roles`: those that the registry gives them now. */
export const INBOX = closed({
  identity: STRING,
  roles: STRINGS,
  items: arrayOf(closed(ROW_FIELDS)),
  total: INTEGER,
  has_more: BOOLEAN,
  elsewhere: ELSEWHERE,
  now: TIMESTAMP,
});

/** `text` is null for bytes that are no UTF-8 text: `GET /artifacts/{ref}` has them. */
export const TEXT = closed({
  ref: STRING,
  sha256: STRING,
  media_type: STRING,
  size_bytes: INTEGER,
  text: nullable(STRING),
});

export const DECISION = closed({
  id: STRING,
  item_id: STRING,
  gate_id: STRING,
  run_id: STRING,
  round: INTEGER,
  rule_index: INTEGER,
  role: STRING,
  scope: STRING,
  identity: STRING,
  person: STRING,
  assurance: { type: 'string', enum: ['authenticated', 'asserted'] },
  outcome: { type: 'string', enum: ['approve', 'reject', 'changes_requested'] },
  comment: STRING,
  at: TIMESTAMP,
  sha256: STRING,
  policy_digest: STRING,
  registry_digest: STRING,
  stale: BOOLEAN,
  carried_from: nullable(INTEGER),
  signed_by: nullable(STRING),
});

/** `diff`: of a harness; `previous`: what the caller decided last at this gate, and about what. */
export const INBOX_ITEM = closed({
  ...ROW_FIELDS,
  job: JOB_RECORD_SCHEMA,
  gate: nullable(GATE),
  artifact: nullable(TEXT),
  diff: nullable(STRING),
  previous: nullable(closed({ decision: DECISION, artifact: TEXT })),
});
