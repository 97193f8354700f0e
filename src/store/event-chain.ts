import type { RunEvent } from '../domain/events.js';
import { quoteJson } from '../lib/canonical-json.js';
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
 * the chain. Taken over what is stored, so it can be checked from the log alone. Members are in canonical (sorted) order,
 * written out here: it is the hottest text of a run.
 */
export function chainHash(event: Omit<RunEvent, 'payload'>, link: ChainLink): string {
  const { agentId, eventId, type, skillId, stepKey, timestamp, topologyId } = event;
  const head = `{"agent_id":${json(agentId)},"event_id":${json(eventId)},"event_type":${json(type)},"payload":${link.payloadText}`;
  const place = `"prev_hash":${json(link.prevHash)},"run_id":${json(link.jobId)},"seq":${link.seq}`;
  const tail = `"skill_id":${json(skillId)},"step_key":${json(stepKey)},"timestamp":${json(timestamp)},"topology_id":${json(topologyId)}}`;
  return sha256Hex(`${head},${place},${tail}`);
}

const json = (text: string | null): string => (text === null ? 'null' : quoteJson(text));
