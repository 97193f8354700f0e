import type { RunEvent } from './events.js';

/** An event with its place in a run's chain, before it is hashed. */
export interface ChainLink {
  readonly jobId: string;
  readonly seq: number;
  /** Digest of the run's previous event; '' for the first. */
  readonly prevHash: string;
  /** Canonical JSON of the redacted payload, as it is stored. */
  readonly payloadText: string;
}

/**
 * The text whose SHA-256 is an event's digest. Through `prevHash` it covers every earlier event of
 * its run: an edited, missing or reordered one breaks the chain. Taken over what is stored, so it
 * can be checked from the log, or from a proof, alone. Members are in canonical (sorted) order,
 * written out here: it is the hottest text of a run. `quote` may be any function that quotes like
 * `JSON.stringify`.
 */
export function chainText(
  event: Omit<RunEvent, 'payload'>,
  link: ChainLink,
  quote: (text: string) => string = JSON.stringify,
): string {
  const { agentId, eventId, type, skillId, stepKey, timestamp, topologyId } = event;
  const json = (text: string | null): string => (text === null ? 'null' : quote(text));
  const head = `{"agent_id":${json(agentId)},"event_id":${json(eventId)},"event_type":${json(type)},"payload":${link.payloadText}`;
  const place = `"prev_hash":${json(link.prevHash)},"run_id":${json(link.jobId)},"seq":${link.seq}`;
  const tail = `"skill_id":${json(skillId)},"step_key":${json(stepKey)},"timestamp":${json(timestamp)},"topology_id":${json(topologyId)}}`;
  return `${head},${place},${tail}`;
}
