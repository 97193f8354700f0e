import type { RunEvent } from '../../domain/events.js';
import type { GateRound, RecordedDecision, ReviewItem, ReviewState } from '../../domain/gates.js';
import { nameBeside } from '../../domain/job.js';
import { digestUuid } from '../../lib/digest-uuid.js';
import type { Capability } from '../harness/accrual.js';
import { type Candidate, readOutcome } from './admit.js';
import type { Refused } from './resolution.js';

/**
 * Which run speaks, when, and where the ids of its events come from. No step causes them: they lie
 * in the transaction of their fact.
 */
export interface Pen {
  readonly state: ReviewState;
  /** UUIDs; also those of decisions. */
  readonly newId: () => string;
}

const stamped = ({ state, newId }: Pen, agentId: string | null) => ({
  eventId: newId(),
  timestamp: state.now,
  topologyId: state.job.topologyId,
  agentId,
  skillId: null,
  stepKey: null,
});

/** One attempt to resolve an item, as somebody made it. */
export interface Attempt extends Omit<Candidate, 'isUnauthenticated' | 'unreadable'> {
  readonly person: string;
}

/** How an attempt ended; `decision` is null where nothing was recorded. */
export interface AttemptEnd {
  readonly item: ReviewItem;
  readonly gate: GateRound | null;
  readonly refused: Pick<Refused, 'refusal' | 'code' | 'reason'> | null;
  readonly decision: RecordedDecision | null;
  /** Id of the item that opened again. */
  readonly reopened: string | null;
}

/** What people give may be long; the log keeps this much of an outcome that is none. */
const MAX_OUTCOME = 40;

/**
 * Attempts that change nothing fold: the same one of the same identity has the same id, and the log
 * holds an id once. So nobody makes a log grow by asking again.
 */
const foldedId = ({ identity }: Attempt, { item, refused }: AttemptEnd): string =>
  digestUuid(['attempt', item.id, identity, refused?.refusal ?? 'repeated'].join('\n'));

/**
 * `approval.role_task_resolved`: every attempt, allowed or not, comes to exactly one, the same one
 * for attempts that change nothing and are alike. `decision_id` names what this attempt recorded.
 */
export function attemptEvent(pen: Pen, attempt: Attempt, end: AttemptEnd): RunEvent {
  const { item, gate, refused, decision, reopened } = end;
  return {
    ...stamped(pen, item.agentId),
    ...(decision === null ? { eventId: foldedId(attempt, end) } : {}),
    type: 'approval.role_task_resolved',
    payload: {
      gate_id: item.gateId ?? '',
      item_id: item.id,
      role: item.role,
      scope: item.scope,
      outcome: readOutcome(attempt.outcome) ?? attempt.outcome.slice(0, MAX_OUTCOME),
      comment: attempt.comment,
      identity: attempt.identity,
      ...nameBeside(attempt),
      person: attempt.person,
      assurance: attempt.assurance,
      artifact_ref: item.artifactRef,
      sha256: gate?.sha256 ?? '',
      round: item.round,
      allowed: refused === null,
      reason: refused?.reason ?? null,
      code: refused?.code ?? null,
      policy_decision: refused === null ? 'allow' : 'deny',
      policy_digest: gate?.policyDigest ?? '',
      registry_digest: attempt.roles.digest,
      decision_id: decision?.id ?? null,
      reopened,
    },
  };
}

/** Who settled something, and what that person said; '' where nobody did. */
export interface Decider {
  readonly by: string;
  readonly clientName?: string;
  readonly comment: string;
}

/** `hitl.resolved`: an item is settled, by a person or because its gate is. */
export const settledEvent = (pen: Pen, item: ReviewItem, decision: string, decider: Decider): RunEvent => ({
  ...stamped(pen, item.agentId),
  type: 'hitl.resolved',
  payload: {
    review_queue_id: item.id,
    kind: item.kind,
    gate_id: item.gateId,
    decision,
    by_user: decider.by,
    ...nameBeside(decider),
    comment: decider.comment,
    // Of a permission it is the input of a call, which the call itself tells.
    ...(item.answer === null || item.kind === 'permission' ? {} : { answer: item.answer }),
  },
});

/** `trust.counted`: what a decision about a call of a harness counts for. */
export const countedEvent = (
  pen: Pen,
  item: ReviewItem,
  of: { readonly capability: Capability & { readonly threshold: number }; readonly by: string },
): RunEvent => ({
  ...stamped(pen, item.agentId),
  type: 'trust.counted',
  payload: {
    archetype: of.capability.archetype,
    kind: of.capability.kind,
    match: of.capability.match,
    threshold: of.capability.threshold,
    by_user: of.by,
    decision: item.status === 'rejected' ? 'rejected' : 'approved',
  },
});

/** `hitl.requested`: a task is open, for the first time or again. */
export const requestedEvent = (pen: Pen, item: ReviewItem): RunEvent => ({
  ...stamped(pen, item.agentId),
  type: 'hitl.requested',
  payload: { review_queue_id: item.id, kind: item.kind, gate_id: item.gateId, role: item.role, summary: item.reason },
});

/** Who decided a gate, whose approvals count, and whether the run goes on. */
export interface Verdict extends Decider {
  /** People whose approvals count. */
  readonly approvers: readonly string[];
  readonly resumed: boolean;
}

/** `approval.gate_resolved`: approved or rejected. */
export const gateResolvedEvent = (pen: Pen, gate: GateRound, verdict: Verdict): RunEvent => ({
  ...stamped(pen, gate.agentId),
  type: 'approval.gate_resolved',
  payload: {
    gate_id: gate.gateId,
    round: gate.round,
    status: gate.status,
    approvers: [...verdict.approvers],
    by: verdict.by,
    ...nameBeside(verdict),
    comment: verdict.comment,
    resumed: verdict.resumed,
  },
});

/** `approval.changes_requested`: the agent works again. The stage is the agent. */
export const changesRequestedEvent = (pen: Pen, gate: GateRound, verdict: Verdict): RunEvent => ({
  ...stamped(pen, gate.agentId),
  type: 'approval.changes_requested',
  payload: {
    gate_id: gate.gateId,
    stage: gate.agentId,
    artifact_ref: gate.artifactRef,
    round: gate.round,
    comment: verdict.comment,
    by: verdict.by,
    ...nameBeside(verdict),
  },
});

export const reminderEvent = (pen: Pen, gate: GateRound, expiresAt: string): RunEvent => ({
  ...stamped(pen, gate.agentId),
  type: 'approval.reminder',
  payload: { gate_id: gate.gateId, round: gate.round, expires_at: expiresAt },
});

export const expiredEvent = (
  pen: Pen,
  gate: GateRound,
  action: 'reject' | 'escalate',
  escalatedTo: readonly string[],
): RunEvent => ({
  ...stamped(pen, gate.agentId),
  type: 'approval.expired',
  payload: {
    gate_id: gate.gateId,
    round: gate.round,
    action,
    escalated_to: [...escalatedTo],
    expires_at: gate.expiresAt,
  },
});

/**
 * True when settling something makes the job runnable: it waits, and goes on by itself
 * (docs/design/journal.md#waking).
 */
export const wakes = ({ job }: ReviewState): boolean => job.status === 'deferred' && job.autoResume;

/**
 * `run.resumed`, for a job that a decision wakes; null when it does not wait, or waits for an
 * explicit resume.
 */
export const wakeEvent = (pen: Pen, decider: Omit<Decider, 'comment'>): RunEvent | null =>
  wakes(pen.state)
    ? {
        ...stamped(pen, null),
        type: 'run.resumed',
        payload: { requested_by: decider.by, ...nameBeside(decider), from_status: 'deferred' },
      }
    : null;

/**
 * Word of `hitl.resolved` for an item that nobody decided: its gate is decided without it, or its
 * run is over.
 */
export const WITHDRAWN = 'withdrawn';
