import { arrayOf, BOOLEAN, closed, INTEGER, NUMBER, nullable, STRING, STRINGS, TIMESTAMP } from '../shared/schema.js';

const DECISION = closed({
  by: STRING,
  role: nullable(STRING),
  outcome: { type: 'string', enum: ['approve', 'reject', 'changes_requested'] },
  comment: STRING,
  round: INTEGER,
  at: TIMESTAMP,
  counts: BOOLEAN,
});

const STEP = closed({
  depth: INTEGER,
  kind: { type: 'string', enum: ['agent', 'call'] },
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
const REQUEST = closed({
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
    assurance: { type: 'string', enum: ['authenticated', 'asserted', 'anonymous', 'system'] },
  }),
  labels: { type: 'object', additionalProperties: STRING },
  correlation_id: nullable(STRING),
  source: STRING,
  submitted_at: TIMESTAMP,
  asked_at: TIMESTAMP,
  age_seconds: INTEGER,
  cost_usd: nullable(NUMBER),
  input_tokens: INTEGER,
  output_tokens: INTEGER,
  call: nullable(closed({ name: STRING, reason: STRING, details: {}, approvers: STRINGS })),
  critique: nullable(STRING),
  decisions: arrayOf(DECISION),
  led_here: nullable(closed({ steps: arrayOf(STEP), left_out: INTEGER })),
});

/** Whether the caller may decide, by the rule that decides. */
const YOU = closed({ can_decide: BOOLEAN, why_not: nullable(STRING) });

export const ASKED_FIELDS = { request: REQUEST, you: YOU };
