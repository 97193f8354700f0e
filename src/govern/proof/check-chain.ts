import { chainText } from '../../domain/event-chain.js';
import type { EventType } from '../../domain/events.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { Proof, ProofEvent } from './proof.js';
import { type ProofProblem, problem } from './read-proof.js';

/** The first event that is missing, out of its place, or not what was hashed. */
export function checkChain(proof: Proof): ProofProblem | null {
  let prev = '';
  let expected = 1;
  for (const event of proof.events) {
    const wrong = checkPlace(event, expected, proof.events) ?? checkLink(event, prev, proof.run.id);
    if (wrong !== null) return wrong;
    prev = event.hash;
    expected += 1;
  }
  return expected === 1 ? problem('chain', 'the proof holds no event') : null;
}

function checkPlace(event: ProofEvent, expected: number, events: readonly ProofEvent[]): ProofProblem | null {
  if (event.seq === expected) return null;
  const isLater = events.some((other) => other.seq === expected);
  const message = isLater
    ? `event ${expected} stands out of its place: event ${event.seq} comes before it`
    : `event ${expected} is missing`;
  return problem('chain', message, { seq: expected });
}

function checkLink(event: ProofEvent, prev: string, runId: string): ProofProblem | null {
  const { seq } = event;
  if (event.run_id !== runId) return problem('chain', `event ${seq} belongs to run ${event.run_id}`, { seq });
  if (event.prev_hash !== prev)
    return problem('chain', `event ${seq} does not follow on event ${seq - 1}: its prev_hash is another`, { seq });
  if (hashOf(event) !== event.hash)
    return problem('chain', `event ${seq} (${event.event_type}) is not what was hashed`, { seq });
  return null;
}

function hashOf(event: ProofEvent): string {
  const facts = {
    eventId: event.event_id,
    // A type of a later kit is hashed like any other: the text alone counts.
    type: event.event_type as EventType,
    timestamp: event.timestamp,
    topologyId: event.topology_id,
    agentId: event.agent_id,
    skillId: event.skill_id,
    stepKey: event.step_key,
  };
  const link = {
    jobId: event.run_id,
    seq: event.seq,
    prevHash: event.prev_hash,
    payloadText: canonicalJson(event.payload),
  };
  return sha256Hex(chainText(facts, link));
}
