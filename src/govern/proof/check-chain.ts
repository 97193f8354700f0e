import { chainText } from '../../domain/event-chain.js';
import type { EventType } from '../../domain/events.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { Proof, ProofEvent } from './proof.js';
import { type ProofProblem, problem } from './read-proof.js';

/** Where a chain stands: before its first event, or at its last one. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

export const CHAIN_START: ChainEnd = { seq: 0, hash: '' };

/** The first event that is missing, out of its place, or not what was hashed. */
export function checkChain(proof: Proof): ProofProblem | null {
  if (proof.events.length === 0) return problem('chain', 'the proof holds no event');
  return checkLinks(proof.events, CHAIN_START, proof.run.id);
}

/** The same of a part of a log, which follows on `end`. */
export function checkLinks(events: readonly ProofEvent[], end: ChainEnd, runId: string): ProofProblem | null {
  let { seq, hash } = end;
  for (const event of events) {
    const wrong = checkPlace(event, seq + 1, events) ?? checkLink(event, hash, runId);
    if (wrong !== null) return wrong;
    ({ seq, hash } = event);
  }
  return null;
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
