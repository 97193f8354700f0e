import type { Fence, Job } from '../domain/job.js';
import type { RunWrite, StepRow } from '../domain/journal.js';
import { sha256Hex } from '../lib/sha256.js';
import type { DurableWrite } from './fault-points.js';
import { INLINE_OUTCOME_BYTES, NO_OUTCOME, type StoredOutcome } from './step-row.js';

/**
 * A write with its results encoded: what is large is named by digest, its bytes are to be stored
 * first.
 */
export interface PreparedWrite {
  readonly name: DurableWrite;
  readonly write: RunWrite;
  /** Of `step.started` and `step.ended`. */
  readonly outcome: StoredOutcome;
  /** Digest of the diffs of `run.ended`; null when no harness ran. */
  readonly diffsSha256: string | null;
}

export interface PreparedBatch {
  readonly prepared: readonly PreparedWrite[];
  readonly blobs: readonly Uint8Array[];
}

const NAMES: Readonly<Record<RunWrite['op'], DurableWrite>> = {
  'step.started': 'run.step_started',
  'step.noted': 'run.step_noted',
  'step.ended': 'run.step_ended',
  'run.ended': 'run.ended',
  'run.parked': 'run.parked',
};

export function encodeWrites(writes: readonly RunWrite[]): PreparedBatch {
  const blobs: Uint8Array[] = [];
  const prepared = writes.map((write): PreparedWrite => {
    const outcome = outcomeTextOf(write);
    const diffs = write.op === 'run.ended' ? write.end.diffs : null;
    return {
      name: NAMES[write.op],
      write,
      outcome: outcome === null ? NO_OUTCOME : encodeOutcome(outcome, blobs),
      diffsSha256: diffs === null ? null : addBlob(JSON.stringify(diffs), blobs),
    };
  });
  return { prepared, blobs };
}

function outcomeTextOf(write: RunWrite): string | null {
  if (write.op === 'step.ended') return write.outcomeText ?? JSON.stringify(write.outcome);
  if (write.op !== 'step.started' || write.row.outcome === null) return null;
  return JSON.stringify(write.row.outcome);
}

function encodeOutcome(text: string, blobs: Uint8Array[]): StoredOutcome {
  // A UTF-16 unit takes at most three bytes, so most texts need no count.
  const isLarge = text.length * 3 > INLINE_OUTCOME_BYTES && Buffer.byteLength(text) > INLINE_OUTCOME_BYTES;
  return isLarge ? { inline: null, sha256: addBlob(text, blobs) } : { inline: text, sha256: null };
}

function addBlob(text: string, blobs: Uint8Array[]): string {
  const bytes = Buffer.from(text);
  blobs.push(bytes);
  return sha256Hex(bytes);
}

/** What a run begins with: each step as it ended elsewhere, and nothing said about it. */
export const begunWith = (steps: readonly StepRow[]): readonly RunWrite[] =>
  steps.map((row) => ({ op: 'step.started', row, events: [] }));

/** The fence of a claim that has just been made. */
export const fenceOf = ({ id, workerId, attempt }: Job): Fence => ({ jobId: id, workerId: workerId ?? '', attempt });
