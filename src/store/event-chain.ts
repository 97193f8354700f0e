import type { RunEvent } from '../domain/events.js';
import { canonicalJson } from '../lib/canonical-json.js';
import { sha256Hex } from '../lib/sha256.js';

/** An event with its place in a run's chain, before it is hashed. */
export interface ChainLink {
  readonly jobId: string;
  readonly seq: number;
  readonly prevHash: string;
  /** Canonical JSON of the redacted payload, as it is stored. */
  readonly payloadText: string;
}

/**
 * Digest of one event and, through `prevHash`, of every earlier event of its run: an edited, missing or reordered row breaks
 * the chain. Taken over what is stored, so it can be checked from the log alone. Members are in canonical (sorted) order.
 */
export function chainHash(event: Omit<RunEvent, 'payload'>, link: ChainLink): string {
  const head = canonicalJson({
    agent_id: event.agentId,
    event_id: event.eventId,
    event_type: event.type,
  });
  const tail = canonicalJson({
    prev_hash: link.prevHash,
    run_id: link.jobId,
    seq: link.seq,
    skill_id: event.skillId,
    step_key: event.stepKey,
    timestamp: event.timestamp,
    topology_id: event.topologyId,
  });
  return sha256Hex(`${head.slice(0, -1)},"payload":${link.payloadText},${tail.slice(1)}`);
}
