import type { Job } from '../../domain/job.js';
import { reportedEnd } from '../../domain/reported-end.js';
import { RUN_SPAN, SUBMIT_SPAN } from '../../domain/trace.js';
import type { SpanDraft } from './draft.js';
import { msOf, type Segment } from './segment.js';

/** What of the row a trace tells: the log does not say who claimed a run. */
export interface ClaimRow extends Pick<Job, 'startedAt' | 'claimedAt' | 'attempt' | 'workerId'> {
  /** False: the run has gone on since, and the row tells of a later claim. */
  readonly isCurrent: boolean;
}

/**
 * When the claims of a segment were, as far as row and log tell: the first of them, and the last.
 */
interface Claims {
  readonly firstMs: number;
  readonly firstAttempt: number | null;
  /** Null: there was one claim. */
  readonly takenOverMs: number | null;
  readonly lastAttempt: number | null;
}

/**
 * The root, the work below it, and what the row tells of waiting and of claims within the segment.
 */
export function runDrafts(
  segment: Segment,
  { row, status }: { readonly row: ClaimRow; readonly status: string },
): readonly SpanDraft[] {
  const { started, last, readyMs } = segment;
  const claims = claimsOf(segment, row);
  const end = reportedEnd(last);
  const ended = end === null ? { endMs: null, endedSeq: null } : { endMs: msOf(last), endedSeq: last.seq };
  const error = end?.status === 'failed' ? (end.reason ?? 'failed') : null;
  const root: SpanDraft = {
    path: SUBMIT_SPAN,
    parent: null,
    startMs: msOf(started),
    ...ended,
    error,
    of: { type: 'submit', source: started.payload.trigger_source },
  };
  const workMs = workStartMs(segment, row);
  const work: readonly SpanDraft[] =
    workMs === null
      ? []
      : [{ path: RUN_SPAN, parent: SUBMIT_SPAN, startMs: workMs, ...ended, error, of: { type: 'run', status } }];
  const within = segment.isFirst || workMs === null ? SUBMIT_SPAN : RUN_SPAN;
  const closed = { endedSeq: last.seq, error: null };
  const queue: SpanDraft = {
    path: `queue@${segment.afterSeq}`,
    parent: within,
    startMs: readyMs,
    endMs: claims?.firstMs ?? msOf(last),
    ...closed,
    of: { type: 'queue' },
  };
  return [root, ...work, queue, ...attemptDrafts(segment, { claims, row })];
}

function attemptDrafts(
  segment: Segment,
  { claims, row }: { readonly claims: Claims | null; readonly row: ClaimRow },
): readonly SpanDraft[] {
  if (claims === null) return [];
  const { last, afterSeq } = segment;
  const base = { parent: RUN_SPAN, endedSeq: last.seq };
  const { firstMs, firstAttempt, takenOverMs, lastAttempt } = claims;
  const first: SpanDraft = {
    ...base,
    path: `attempt@${afterSeq}`,
    startMs: firstMs,
    endMs: takenOverMs ?? msOf(last),
    error: takenOverMs === null ? null : 'lease_lost',
    of: {
      type: 'attempt',
      attempt: firstAttempt,
      workerId: takenOverMs === null && row.isCurrent ? row.workerId : null,
    },
  };
  if (takenOverMs === null) return [first];
  const second: SpanDraft = {
    ...base,
    path: `attempt@${afterSeq}~2`,
    startMs: takenOverMs,
    endMs: msOf(last),
    error: null,
    of: { type: 'attempt', attempt: lastAttempt, workerId: row.workerId },
  };
  return [first, second];
}

/**
 * When the work on the run began, as far as the row and the steps that have passed tell; null:
 * nobody claimed it.
 */
export function workStartMs(segment: Segment, row: ClaimRow): number | null {
  const { isFirst, runStepMs, started } = segment;
  const claimMs = row.startedAt === null ? null : Date.parse(row.startedAt);
  // The row is timed by the clock of the database, an event by that of its worker: nothing is done
  // before it is claimed.
  const firstMs = isFirst
    ? (claimsOf(segment, row)?.firstMs ?? null)
    : claimMs === null
      ? null
      : Math.min(claimMs, runStepMs ?? claimMs);
  return firstMs === null ? null : Math.max(firstMs, msOf(started));
}

/**
 * Where the row tells of a later segment the first step says when the work began. The row is timed
 * by the clock of the database, and is fitted between events.
 */
function claimsOf(segment: Segment, row: ClaimRow): Claims | null {
  const { isFirst, readyMs, firstStepMs, last } = segment;
  const claimedMs = row.claimedAt === null ? null : Date.parse(row.claimedAt);
  const lastMs = claimedMs !== null && row.isCurrent ? Math.min(Math.max(claimedMs, readyMs), msOf(last)) : null;
  const beganMs = isFirst && row.startedAt !== null ? Date.parse(row.startedAt) : firstStepMs;
  const firstMs = beganMs === null ? lastMs : Math.min(beganMs, lastMs ?? beganMs, firstStepMs ?? beganMs);
  if (firstMs === null) return null;
  // The one claim of a segment comes before its first step; a claim that comes after it took the
  // run over.
  const isTakenOver =
    lastMs !== null && (isFirst ? row.startedAt !== row.claimedAt : firstStepMs !== null && lastMs > firstStepMs);
  const attempt = lastMs === null ? null : row.attempt;
  return isTakenOver
    ? { firstMs, firstAttempt: isFirst ? 1 : null, takenOverMs: lastMs, lastAttempt: attempt }
    : { firstMs, firstAttempt: isFirst ? 1 : attempt, takenOverMs: null, lastAttempt: attempt };
}
