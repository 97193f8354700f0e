import type { RunEvent } from '../../domain/events.js';
import type { GateRound, ReviewItem, ReviewState, RoleDirectory } from '../../domain/gates.js';
import type { ReviewChange } from '../../domain/ports/reviews.js';
import { hasExpired, whyJobClosed } from './admit.js';
import { joinRows, NO_ROWS, type Rows, withRows } from './change.js';
import { expiredEvent, type Pen, reminderEvent, requestedEvent, wakeEvent } from './events.js';
import { foldGate } from './fold.js';
import { deadlines } from './open-round.js';
import { escalationRule, isOpen, newestRound, tasksOf, tasksOfRound } from './rules.js';
import { decidedEvents, withdrawRest } from './settle.js';

/** What the clock did to the gates of a job. */
export interface ExpiryResult {
  readonly reminded: readonly string[];
  /** Gate ids. */
  readonly escalated: readonly string[];
  readonly rejected: readonly string[];
}

/** Who wakes a run whose gate the clock decided. */
const CLOCK = { by: 'expiry' };
const TOO_LATE = 'not decided in time';

interface Progress {
  readonly rows: Rows;
  readonly events: readonly RunEvent[];
  readonly result: ExpiryResult;
}

/**
 * Carries out every deadline of the job that is due by the store's clock: one reminder, then
 * `on_expiry`. An escalation adds one more rule (any of `escalate_to`, for the scope of the first
 * rule; all rules must still be satisfied) and starts the clock once more, at the instant at which
 * it is carried out: nobody could have acted on it before. The next expiry rejects. Judged at every
 * read, resolve and resume, so it does not matter whether anything was running; with nothing due
 * the change is empty.
 */
export function expireDue(
  state: ReviewState,
  request: { readonly newId: () => string; readonly roles: RoleDirectory },
): ReviewChange<ExpiryResult> {
  const pen: Pen = { state, newId: request.newId };
  let progress: Progress = { rows: NO_ROWS, events: [], result: { reminded: [], escalated: [], rejected: [] } };
  const ids = whyJobClosed(state) === 'run_over' ? [] : [...new Set(state.gates.map((gate) => gate.gateId))];
  for (const gateId of ids) progress = expireGate(pen, progress, gateId);
  const { rows, events, result } = progress;
  return { result, ...rows, events, wake: result.rejected.length === 0 ? null : wakeEvent(pen, CLOCK) };
}

function expireGate(pen: Pen, progress: Progress, gateId: string): Progress {
  const state = withRows(pen.state, progress.rows);
  const gate = newestRound(state, gateId);
  if (gate === null || gate.status !== 'pending' || gate.withdrawn) return progress;
  if (hasExpired(gate, state.now)) {
    return gate.policy.expiry?.action === 'escalate' && gate.escalatedTo.length === 0
      ? escalate(pen, progress, gate)
      : reject(pen, progress, gate);
  }
  if (gate.remindAt === null || gate.expiresAt === null || Date.parse(state.now) < Date.parse(gate.remindAt))
    return progress;
  return {
    rows: joinRows(progress.rows, { ...NO_ROWS, gates: [{ ...gate, remindAt: null }] }),
    events: [...progress.events, reminderEvent(pen, gate, gate.expiresAt)],
    result: { ...progress.result, reminded: [...progress.result.reminded, gateId] },
  };
}

function escalate(pen: Pen, progress: Progress, gate: GateRound): Progress {
  const { policy } = gate;
  const { now } = pen.state;
  const escalateTo = policy.expiry?.escalateTo ?? [];
  const escalated: GateRound = { ...gate, escalatedTo: escalateTo, ...deadlines(policy, now) };
  const stepKey = tasksOfRound(pen.state.items, gate)[0]?.stepKey ?? '';
  const source = { gate: escalated, stepKey, createdAt: now, escalated: true };
  const items = tasksOf(source, escalationRule(policy.rules, escalateTo), policy.rules.length);
  return {
    rows: joinRows(progress.rows, { gates: [escalated], items, decisions: [] }),
    events: [
      ...progress.events,
      expiredEvent(pen, gate, 'escalate', escalateTo),
      ...items.map((item) => requestedEvent(pen, item)),
    ],
    result: { ...progress.result, escalated: [...progress.result.escalated, gate.gateId] },
  };
}

function reject(pen: Pen, progress: Progress, gate: GateRound): Progress {
  const state = withRows(pen.state, progress.rows);
  const rejected: GateRound = { ...gate, status: 'rejected', decidedAt: state.now };
  const withdrawn: readonly ReviewItem[] = tasksOfRound(state.items, gate)
    .filter(isOpen)
    .map((task) => ({ ...task, withdrawn: true }));
  const own = joinRows(progress.rows, { gates: [rejected], items: withdrawn, decisions: [] });
  const rest = withdrawRest(pen, withRows(pen.state, own), CLOCK);
  return {
    rows: joinRows(own, rest.rows),
    events: [
      ...progress.events,
      expiredEvent(pen, gate, 'reject', []),
      ...decidedEvents(
        pen,
        { gate: rejected, fold: foldGate(gate, state.decisions), withdrawn },
        { by: '', comment: TOO_LATE },
      ),
      ...rest.events,
    ],
    result: { ...progress.result, rejected: [...progress.result.rejected, gate.gateId] },
  };
}
