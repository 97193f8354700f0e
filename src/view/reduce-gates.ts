import type { StoredEvent } from '../domain/events.js';
import type { RunDraft } from './run-draft.js';
import type { GateView } from './run-view.js';

type Of<T extends StoredEvent['type']> = Extract<StoredEvent, { type: T }>;

/**
 * A round began, or is announced again: the gate starts anew only when the round is a later one.
 */
export function gateOpened(draft: RunDraft, event: Of<'funnel.gate_opened'>): void {
  const {
    gate_id: gateId,
    round,
    artifact_ref: artifactRef,
    escalated,
    judge_score: judgeScore,
    expires_at: expiresAt,
  } = event.payload;
  const known = draft.view.gates[gateId];
  if (known !== undefined && known.round >= round) return;
  const gate: GateView = {
    gateId,
    agentId: event.agentId,
    round,
    status: 'pending',
    withdrawn: false,
    artifactRef,
    escalated,
    judgeScore,
    expiresAt,
    openedAt: event.timestamp,
    decisions: [],
  };
  putGate(draft, gate);
}

/**
 * An attempt that was refused decides nothing, and neither does one that repeats what its person
 * decided before: it records no decision.
 */
export function roleTaskResolved(draft: RunDraft, event: Of<'approval.role_task_resolved'>): void {
  const { gate_id: gateId, round, identity, role, outcome, comment, allowed, decision_id: decisionId } = event.payload;
  const gate = draft.view.gates[gateId];
  if (!allowed || decisionId === null || gate === undefined || gate.round !== round) return;
  putGate(draft, { ...gate, decisions: [...gate.decisions, { by: identity, role, outcome, comment }] });
}

function endRound(
  draft: RunDraft,
  { gate_id: gateId, round }: { gate_id: string; round: number },
  status: GateView['status'],
): void {
  const gate = draft.view.gates[gateId];
  if (gate?.round === round) putGate(draft, { ...gate, status });
}

export const gateResolved = (draft: RunDraft, { payload }: Of<'approval.gate_resolved'>): void =>
  endRound(draft, payload, payload.status);

/** The round is over: the agent works again. */
export const changesRequested = (draft: RunDraft, { payload }: Of<'approval.changes_requested'>): void =>
  endRound(draft, payload, 'changes-requested');

/** A run that is over asks nobody; one that was stopped may go on, and its gates with it. */
export function withdrawGates(draft: RunDraft, status: Of<'run.ended'>['payload']['status']): void {
  if (status === 'stopped') return;
  for (const gate of Object.values(draft.view.gates))
    if (gate.status === 'pending') putGate(draft, { ...gate, withdrawn: true });
}

function putGate(draft: RunDraft, gate: GateView): void {
  draft.put('gates', gate.gateId, gate);
}
