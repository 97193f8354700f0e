import { closed, nullable, STRING, TIMESTAMP } from './schema.js';

/** A whole event, as `toWireEvent` makes it. */
export const WHOLE_EVENT = closed({
  event_id: STRING,
  event_type: STRING,
  run_id: STRING,
  seq: { type: 'integer', description: 'Dense per run, from 1.' },
  timestamp: TIMESTAMP,
  topology_id: STRING,
  agent_id: nullable(STRING),
  skill_id: nullable(STRING),
  step_key: nullable(STRING),
  correlation_id: nullable(STRING),
  labels: { type: 'object', additionalProperties: STRING },
  payload: { type: 'object', additionalProperties: true },
});
