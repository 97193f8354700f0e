import type { StoredEvent } from '../domain/events.js';
import type { GateView, RunView } from './run-view.js';

type Of<T extends StoredEvent['type']> = Extract<StoredEvent, { type: T }>;

/** A round began, or is announced again: the gate starts anew only when the round is a later one. */
export function gateOpened(view: RunView, event: Of<'funnel.gate_opened'>): RunView {
  const { gate_id: gateId, round, artifact_ref: artifactRef, escalated, judge_score: judgeScore, expires_at: expiresAt } = event.payload;
  const known = view.gates[gateId];
  if (known !== undefined && known.round >= round) return view;
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
  return withGate(view, gate);
}

/** An attempt that was refused decides nothing, and neither does one that repeats what its person decided before: it records no decision. */
export function roleTaskResolved(view: RunView, event: Of<'approval.role_task_resolved'>): RunView {
  const { gate_id: gateId, round, identity, role, outcome, comment, allowed, decision_id: decisionId } = event.payload;
  const gate = view.gates[gateId];
  if (!allowed || decisionId === null || gate === undefined || gate.round !== round) return view;
  return withGate(view, { ...gate, decisions: [...gate.decisions, { by: identity, role, outcome, comment }] });
}

export function gateResolved(view: RunView, event: Of<'approval.gate_resolved'>): RunView {
  const gate = view.gates[event.payload.gate_id];
  if (gate === undefined || gate.round !== event.payload.round) return view;
  return withGate(view, { ...gate, status: event.payload.status });
}

/** The round is over: the agent works again. */
export function changesRequested(view: RunView, event: Of<'approval.changes_requested'>): RunView {
  const gate = view.gates[event.payload.gate_id];
  if (gate === undefined || gate.round !== event.payload.round) return view;
  return withGate(view, { ...gate, status: 'changes-requested' });
}

/** A run that is over asks nobody; one that was stopped may go on, and its gates with it. */
export function gatesAfter(gates: RunView['gates'], status: Of<'run.ended'>['payload']['status']): RunView['gates'] {
  if (status === 'stopped' || Object.values(gates).every((gate) => gate.status !== 'pending')) return gates;
  return Object.fromEntries(Object.entries(gates).map(([id, gate]) => [id, { ...gate, withdrawn: gate.status === 'pending' }]));
}

const withGate = (view: RunView, gate: GateView): RunView => ({ ...view, gates: { ...view.gates, [gate.gateId]: gate } });
