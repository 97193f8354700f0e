import type { PrunedRun } from '../../domain/ports/retention.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { sha256Hex } from '../../lib/sha256.js';

/** What a run leaves, as both dialects read it before its rows go. */
export interface PrunedFacts {
  readonly job_id: string;
  readonly topology: string;
  readonly status: string;
  readonly last_seq: number;
  readonly last_hash: string;
  readonly last_pos: number;
  readonly event_count: number;
  readonly ended_at: string;
}

export interface PrunedRecord extends PrunedFacts {
  readonly pruned_at: string;
  readonly digest: string;
}

const runOf = (row: PrunedFacts & { readonly pruned_at: string }): Omit<PrunedRun, 'digest'> => ({
  jobId: row.job_id,
  topology: row.topology,
  status: row.status,
  lastSeq: row.last_seq,
  lastHash: row.last_hash,
  eventCount: row.event_count,
  endedAt: row.ended_at,
  prunedAt: row.pruned_at,
});

/** The row to write. */
export function prunedParams(facts: PrunedFacts, now: string) {
  const {
    job_id: jobId,
    last_seq: lastSeq,
    last_hash: lastHash,
    last_pos: lastPos,
    event_count: eventCount,
    ended_at: endedAt,
  } = facts;
  const digest = sha256Hex(canonicalJson({ ...runOf({ ...facts, pruned_at: now }) }));
  return {
    jobId,
    topology: facts.topology,
    status: facts.status,
    lastSeq,
    lastHash,
    lastPos,
    eventCount,
    endedAt,
    now,
    digest,
  };
}

export const decodePruned = (row: PrunedRecord): PrunedRun => ({ ...runOf(row), digest: row.digest });
