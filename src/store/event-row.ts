import { KitError } from '../domain/errors.js';
import { type ChainLink, chainText } from '../domain/event-chain.js';
import type { RunEvent, StoredEvent } from '../domain/events.js';
import { canonicalJson, quoteJson } from '../lib/canonical-json.js';
import { sha256Hex } from '../lib/sha256.js';
import type { JobRow } from './job-row.js';

/** The events table as both dialects return it; JSON columns as text. */
export interface EventRecord {
  readonly pos: number;
  readonly job_id: string;
  readonly seq: number;
  readonly event_id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly topology_id: string;
  readonly agent_id: string | null;
  readonly skill_id: string | null;
  readonly step_key: string | null;
  readonly payload: string;
  readonly labels: string;
  readonly correlation_id: string | null;
  readonly prev_hash: string;
  readonly hash: string;
}

/** Digest of one event and, through `prevHash`, of every earlier event of its run. */
export const chainHash = (event: Omit<RunEvent, 'payload'>, link: ChainLink): string =>
  sha256Hex(chainText(event, link, quoteJson));

/** Whose event it is; job id '' for events outside a job. */
export interface EventOwner {
  /** `jobs.ord`, by which the log is indexed in SQLite; 0 for events outside a job. */
  readonly run: number;
  readonly jobId: string;
  /** JSON text, as the job row holds it. */
  readonly labels: string;
  readonly correlationId: string | null;
}

/** A run as the owner of its events, from the columns of its row that say so. */
export const ownerOf = (row: Pick<JobRow, 'ord' | 'id' | 'labels' | 'correlation_id'>): EventOwner => ({
  run: row.ord,
  jobId: row.id,
  labels: row.labels,
  correlationId: row.correlation_id,
});

/** Last event of the owner's chain; `{ seq: 0, hash: '' }` before the first. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

export function encodeEvent(event: RunEvent, owner: EventOwner, last: ChainEnd): Omit<EventRecord, 'pos'> {
  const seq = last.seq + 1;
  const payload = canonicalJson(event.payload);
  const hash = chainHash(event, { jobId: owner.jobId, seq, prevHash: last.hash, payloadText: payload });
  return {
    job_id: owner.jobId,
    seq,
    event_id: event.eventId,
    type: event.type,
    timestamp: event.timestamp,
    topology_id: event.topologyId,
    agent_id: event.agentId,
    skill_id: event.skillId,
    step_key: event.stepKey,
    payload,
    labels: owner.labels,
    correlation_id: owner.correlationId,
    prev_hash: last.hash,
    hash,
  };
}

/**
 * The cast joins type and payload again, which were one union member when `encodeEvent` took them
 * apart.
 */
export function decodeEvent(record: EventRecord): StoredEvent {
  return {
    eventId: record.event_id,
    type: record.type,
    timestamp: record.timestamp,
    topologyId: record.topology_id,
    agentId: record.agent_id,
    skillId: record.skill_id,
    stepKey: record.step_key,
    payload: parsed(record, 'payload'),
    jobId: record.job_id,
    seq: record.seq,
    pos: record.pos,
    labels: parsed(record, 'labels'),
    correlationId: record.correlation_id,
    prevHash: record.prev_hash,
    hash: record.hash,
  } as StoredEvent;
}

/** Throws KIT_STORE_CORRUPT: a row that somebody has damaged names itself. */
function parsed(record: EventRecord, column: 'payload' | 'labels'): unknown {
  try {
    return JSON.parse(record[column]);
  } catch (cause) {
    const whose = record.job_id === '' ? 'outside of any run' : `of run ${record.job_id}`;
    throw new KitError('KIT_STORE_CORRUPT', `event ${record.seq} ${whose} is damaged: its ${column} is not JSON`, {
      cause,
      data: { run_id: record.job_id, seq: record.seq, column },
    });
  }
}
