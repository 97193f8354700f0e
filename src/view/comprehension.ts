import type { StoredEvent } from '../domain/events.js';
import { own } from '../lib/own.js';

/** One approval of a gate, with how long its people had. */
export interface GateApproval {
  readonly gateId: string;
  readonly runId: string;
  /**
   * From the opening of the round to its approval; what came before (a park, a queue) does not
   * count.
   */
  readonly latencyMs: number;
  readonly approvers: readonly string[];
  readonly timestamp: string;
}

/** Rounds of gates as the log tells: a left fold of `reduceComprehension`. Plain JSON. */
export interface ComprehensionView {
  /** Highest position seen: an event at or below it changes nothing. */
  readonly lastPos: number;
  /** Time of the first announcement of each round that is still open. */
  readonly openedAt: Readonly<Record<string, string>>;
  /** Oldest first, at most as many as the fold keeps. */
  readonly approvals: readonly GateApproval[];
}

/** A log of which nothing is known yet. */
export const NO_APPROVALS: ComprehensionView = { lastPos: 0, openedAt: {}, approvals: [] };

/** What announces a round: each is told once, in this order, when it opens. */
export const OPENING_TYPES = ['funnel.gate_opened', 'approval.gate_opened'] as const;

/** The event types that a fold needs. */
export const COMPREHENSION_TYPES = [...OPENING_TYPES, 'approval.gate_resolved'] as const;

const roundKey = (jobId: string, gate: { readonly gate_id: string; readonly round: number }): string =>
  JSON.stringify([jobId, gate.gate_id, gate.round]);

/** The round that an event opens or approves; null for every other event. */
export function roundOf(event: StoredEvent): { readonly kind: 'opened' | 'approved'; readonly key: string } | null {
  switch (event.type) {
    case 'approval.gate_opened':
    case 'funnel.gate_opened':
      return { kind: 'opened', key: roundKey(event.jobId, event.payload) };
    case 'approval.gate_resolved':
      return event.payload.status === 'approved'
        ? { kind: 'approved', key: roundKey(event.jobId, event.payload) }
        : null;
    default:
      return null;
  }
}

/**
 * Adds an event of the log, in the order of `pos`; `keep` >= 1: approvals that are kept, the
 * newest.
 */
export function reduceComprehension(view: ComprehensionView, event: StoredEvent, keep: number): ComprehensionView {
  if (event.pos <= view.lastPos) return view;
  const next = { ...view, lastPos: event.pos };
  switch (event.type) {
    // A gate can be announced more than once: people could act from the first time on.
    case 'approval.gate_opened':
    case 'funnel.gate_opened': {
      const key = roundKey(event.jobId, event.payload);
      return own(view.openedAt, key) === undefined
        ? { ...next, openedAt: { ...view.openedAt, [key]: event.timestamp } }
        : next;
    }
    case 'approval.gate_resolved': {
      const { payload } = event;
      if (payload.status === 'pending') return next;
      const { [roundKey(event.jobId, payload)]: opened, ...openedAt } = view.openedAt;
      if (opened === undefined || payload.status !== 'approved') return { ...next, openedAt };
      const latencyMs = Math.max(0, Date.parse(event.timestamp) - Date.parse(opened));
      const approvers = [...new Set(payload.approvers)];
      const approval = {
        gateId: payload.gate_id,
        runId: event.jobId,
        latencyMs,
        approvers,
        timestamp: event.timestamp,
      };
      return { ...next, openedAt, approvals: [...view.approvals, approval].slice(-keep) };
    }
    default:
      return next;
  }
}

/** What the approvals say of how well people know what they sign. */
export interface ComprehensionReport {
  /** `unknown`: nobody approved anything in that time. */
  readonly verdict: 'ok' | 'debt' | 'unknown';
  /** Approvals of this moment or later, ISO 8601. */
  readonly since: string;
  readonly thresholdSeconds: number;
  readonly approvalsSeen: number;
  /** Newest first. */
  readonly fastApprovals: readonly GateApproval[];
  /** Signals that this version does not have, a sentence each. */
  readonly deferred: readonly string[];
}

const DEFERRED: readonly string[] = [
  'how much of an artifact was opened before it was approved: nothing records reading',
  'whether an approved artifact was reworked soon after: runs are not linked by what they change',
];

/** An approval faster than the threshold counts as debt: nobody read the artifact in that time. */
export function comprehensionOf(
  { approvals }: ComprehensionView,
  { thresholdSeconds, since }: Pick<ComprehensionReport, 'thresholdSeconds' | 'since'>,
): ComprehensionReport {
  const fast = approvals.filter(({ latencyMs }) => latencyMs < thresholdSeconds * 1000);
  const verdict = approvals.length === 0 ? 'unknown' : fast.length === 0 ? 'ok' : 'debt';
  return {
    verdict,
    since,
    thresholdSeconds,
    approvalsSeen: approvals.length,
    fastApprovals: fast.toReversed(),
    deferred: DEFERRED,
  };
}
