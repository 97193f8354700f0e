// What waits for one person, as `GET /review/inbox` answers it.
import { ARTIFACT_TEXT, ARTIFACT_TEXT_OR_NULL } from './artifact.js';
import { GATE } from './gate.js';
import { ASKED_FIELDS, DECISION, ELSEWHERE, ITEM_FIELDS } from './item.js';
import { JOB } from './job.js';
import {
  arrayOf,
  BOOLEAN,
  closed,
  INTEGER,
  NUMBER,
  nullable,
  STRING,
  STRINGS,
  TIMESTAMP,
  type TypeOf,
} from './words.js';

const ROW_FIELDS = {
  ...ITEM_FIELDS,
  ...ASKED_FIELDS,
  expires_at: nullable(TIMESTAMP),
  judge_score: nullable(NUMBER),
  checks_escalated: BOOLEAN,
};
const ROW = closed(ROW_FIELDS);
export type WireInboxRow = TypeOf<typeof ROW>;

/** A page of the caller's inbox. `roles`: those that the registry gives them now. */
export const INBOX = closed({
  identity: STRING,
  roles: STRINGS,
  items: arrayOf(ROW),
  total: INTEGER,
  has_more: BOOLEAN,
  elsewhere: ELSEWHERE,
  now: TIMESTAMP,
});
export type WireInbox = TypeOf<typeof INBOX>;

/** `diff`: of a harness; `previous`: what the caller decided last at this gate, and about what. */
export const INBOX_ITEM = closed({
  ...ROW_FIELDS,
  job: JOB,
  gate: nullable(GATE),
  artifact: ARTIFACT_TEXT_OR_NULL,
  diff: nullable(STRING),
  previous: nullable(closed({ decision: DECISION, artifact: ARTIFACT_TEXT })),
});
export type WireInboxItem = TypeOf<typeof INBOX_ITEM>;
