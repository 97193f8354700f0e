import type { StoredEvent } from '../../domain/events.js';
import type { JsonObject } from '../../domain/json.js';
import type { ProofEvent } from './proof.js';

/** An event of the log as the chain hashed it. */
export const toProofEvent = (event: StoredEvent): ProofEvent => ({
  seq: event.seq,
  event_id: event.eventId,
  event_type: event.type,
  timestamp: event.timestamp,
  run_id: event.jobId,
  topology_id: event.topologyId,
  agent_id: event.agentId,
  skill_id: event.skillId,
  step_key: event.stepKey,
  // every payload is a JSON object; its type says which
  payload: event.payload as unknown as JsonObject,
  prev_hash: event.prevHash,
  hash: event.hash,
});
