// What `toWireItem` and `toWireAsked` make: what waits for people, and what is asked at it.
import {
  ANY,
  arrayOf,
  BOOLEAN,
  closed,
  INTEGER,
  NUMBER,
  nullable,
  oneOf,
  recordOf,
  STRING,
  STRINGS,
  TIMESTAMP,
  type TypeOf,
} from './words.js';

export const ITEM_STATUS = oneOf(['pending', 'approved', 'rejected', 'changes-requested']);
const OUTCOME = oneOf(['approve', 'reject', 'changes_requested']);

/**
 * A review item with every field of the interface; an item that is no role task has null where a
 * role task has its gate and role.
 */
export const ITEM_FIELDS = {
  id: STRING,
  kind: oneOf(['permission', 'input', 'role_task', 'other']),
  agent_id: STRING,
  topology_id: STRING,
  run_id: STRING,
  skill_id: nullable(STRING),
  gate_id: nullable(STRING),
  role: nullable(STRING),
  scope: nullable(STRING),
  rule_index: nullable(INTEGER),
  round: INTEGER,
  status: ITEM_STATUS,
  resolved_by: STRING,
  comment: STRING,
  answer: nullable(STRING),
  reason: STRING,
  capability: nullable(STRING),
  question: nullable(STRING),
  options: STRINGS,
  free_text_allowed: BOOLEAN,
  details: ANY,
  artifact_ref: STRING,
  stale: BOOLEAN,
  withdrawn: BOOLEAN,
  escalated: BOOLEAN,
  reopened: INTEGER,
  timestamp: TIMESTAMP,
  resolved_at: nullable(TIMESTAMP),
};
export const ITEM = closed(ITEM_FIELDS);
export type WireItem = TypeOf<typeof ITEM>;

const EARLIER_DECISION = closed({
  by: STRING,
  role: nullable(STRING),
  outcome: OUTCOME,
  comment: STRING,
  round: INTEGER,
  at: TIMESTAMP,
  counts: BOOLEAN,
});

const STEP = closed({
  depth: INTEGER,
  kind: oneOf(['agent', 'call']),
  name: STRING,
  status: STRING,
  count: INTEGER,
  model_calls: INTEGER,
  duration_ms: nullable(NUMBER),
  cost_usd: nullable(NUMBER),
});

/**
 * What is asked: the request behind an item or a gate. `input` is masked, and cut where `input_cut`
 * says so (`GET /jobs/{run_id}` has the whole); `led_here` is null in lists.
 */
export const REQUEST = closed({
  run_id: STRING,
  topology: STRING,
  version: nullable(STRING),
  description: nullable(STRING),
  input: STRING,
  input_chars: INTEGER,
  input_cut: BOOLEAN,
  attachments: STRINGS,
  submitted_by: closed({
    identity: STRING,
    assurance: oneOf(['authenticated', 'asserted', 'anonymous', 'system']),
  }),
  labels: recordOf(STRING),
  correlation_id: nullable(STRING),
  source: STRING,
  submitted_at: TIMESTAMP,
  asked_at: TIMESTAMP,
  age_seconds: INTEGER,
  cost_usd: nullable(NUMBER),
  input_tokens: INTEGER,
  output_tokens: INTEGER,
  call: nullable(closed({ name: STRING, reason: STRING, details: ANY, approvers: STRINGS })),
  critique: nullable(STRING),
  decisions: arrayOf(EARLIER_DECISION),
  led_here: nullable(closed({ steps: arrayOf(STEP), left_out: INTEGER })),
});

/** Whether the caller may decide, by the rule that decides. */
const YOU = closed({ can_decide: BOOLEAN, why_not: nullable(STRING) });

export const ASKED_FIELDS = { request: REQUEST, you: YOU };

/** On the command line nobody in particular may be the one who looks: then `you` is null. */
export interface WireAsked {
  readonly request: TypeOf<typeof REQUEST>;
  readonly you: TypeOf<typeof YOU> | null;
}

/** An item, with what is asked of whoever looks. */
export const ASKED_ITEM = closed({ ...ITEM_FIELDS, ...ASKED_FIELDS });

/** A decision with its evidence. */
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
  assurance: oneOf(['authenticated', 'asserted']),
  outcome: OUTCOME,
  comment: STRING,
  at: TIMESTAMP,
  sha256: STRING,
  policy_digest: STRING,
  registry_digest: STRING,
  stale: BOOLEAN,
  carried_from: nullable(INTEGER),
  signed_by: nullable(STRING),
});
export type WireDecision = TypeOf<typeof DECISION>;

/** What people of another system decide, and where: nobody decides it here. */
export const ELSEWHERE = arrayOf(closed({ run: STRING, topology: STRING, agent: STRING, gate_url: STRING }));
export type WireElsewhere = TypeOf<typeof ELSEWHERE>;
