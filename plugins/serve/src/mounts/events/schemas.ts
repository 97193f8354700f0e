import { closed, NUMBER, nullable, type Schema, STRING, TIMESTAMP } from '../shared/schema.js';

const PAYLOAD: Schema = { type: 'object', additionalProperties: true };
const LABELS: Schema = { type: 'object', additionalProperties: STRING };

export const LOG_ENTRY = closed({
  cursor: STRING,
  event_id: STRING,
  event_type: STRING,
  timestamp: TIMESTAMP,
  run_id: STRING,
  topology_id: STRING,
  agent_id: nullable(STRING),
  skill_id: nullable(STRING),
  correlation_id: nullable(STRING),
  payload: PAYLOAD,
  labels: LABELS,
});

export const AUDIT_ROW = closed({
  event_id: STRING,
  event_type: STRING,
  timestamp: TIMESTAMP,
  run_id: STRING,
  topology_id: STRING,
  agent_id: nullable(STRING),
  agent_role: nullable(STRING),
  skill_id: nullable(STRING),
  skill_category: { type: 'null' },
  correlation_id: nullable(STRING),
  payload: PAYLOAD,
  labels: LABELS,
  policy_decision: nullable(STRING),
  policy_reason: nullable(STRING),
  inputs: {},
  outputs: {},
  verdict: nullable(STRING),
  reasoning: nullable(STRING),
  confidence: nullable(NUMBER),
  model_provider: nullable(STRING),
  model_name: nullable(STRING),
  tokens_in: nullable(NUMBER),
  tokens_out: nullable(NUMBER),
  cost_usd: nullable(NUMBER),
  duration_ms: nullable(NUMBER),
  error: nullable(STRING),
  parent_event_id: { type: 'null' },
});
