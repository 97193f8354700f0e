import type { RunEvent } from '../../domain/events.js';
import type { GateRound, RecordedDecision, ReviewItem, ReviewState } from '../../domain/gates.js';
import { NO_ROWS, type Rows } from './change.js';
import {
  changesRequestedEvent,
  type Decider,
  gateResolvedEvent,
  type Pen,
  settledEvent,
  WITHDRAWN,
  wakes,
} from './events.js';
import { decisionToReopen, foldGate, type GateFold } from './fold.js';
import { isOpen, tasksOfRound } from './rules.js';

/** What became of a round. */
export interface Settled {
  readonly gate: GateRound;
  readonly fold: GateFold;
  /** Rows that differ from what was given. */
  readonly rows: Rows;
  /** Tasks that nobody needs to do any more. */
  readonly withdrawn: readonly ReviewItem[];
  /** The task that opened again. */
  readonly reopened: ReviewItem | null;
}

/**
 * Folds a round and draws the consequences. Decided: the tasks still open are withdrawn; under
 * `any` and `k-of` that is how tasks end that were not needed. Their status stays `pending`, as the
 * folded reading of the interface has it. Pending with every task done and too few people: one task
 * opens again, and its decision stays as stale.
 */
export function settleRound(
  gate: GateRound,
  items: readonly ReviewItem[],
  decisions: readonly RecordedDecision[],
  now: string,
): Settled {
  const fold = foldGate(gate, decisions);
  const tasks = tasksOfRound(items, gate);
  if (fold.status !== 'pending') {
    const decided: GateRound = { ...gate, status: fold.status, decidedAt: now };
    const withdrawn = tasks.filter(isOpen).map((task) => ({ ...task, withdrawn: true }));
    return {
      gate: decided,
      fold,
      rows: { gates: [decided], items: withdrawn, decisions: [] },
      withdrawn,
      reopened: null,
    };
  }
  const decision = decisionToReopen(fold, gate, tasks, decisions);
  const task = decision === null ? undefined : tasks.find((item) => item.id === decision.itemId);
  if (decision === null || task === undefined) return { gate, fold, rows: NO_ROWS, withdrawn: [], reopened: null };
  const stale: RecordedDecision = { ...decision, stale: true };
  const reopened: ReviewItem = {
    ...task,
    status: 'pending',
    resolvedBy: '',
    comment: '',
    resolvedAt: null,
    reopened: task.reopened + 1,
  };
  return {
    gate,
    fold: foldGate(gate, [...decisions.filter((other) => other.id !== stale.id), stale]),
    rows: { gates: [], items: [reopened], decisions: [stale] },
    withdrawn: [],
    reopened,
  };
}

/** What the log says when a gate is decided: its open tasks, then the gate. */
export function decidedEvents(
  pen: Pen,
  { gate, fold, withdrawn }: Pick<Settled, 'gate' | 'fold' | 'withdrawn'>,
  decider: Decider,
): readonly RunEvent[] {
  const verdict = { ...decider, approvers: fold.approvers, resumed: wakes(pen.state) };
  return [
    ...withdrawn.map((task) => settledEvent(pen, task, WITHDRAWN, { ...decider, comment: '' })),
    gate.status === 'changes-requested'
      ? changesRequestedEvent(pen, gate, verdict)
      : gateResolvedEvent(pen, gate, verdict),
  ];
}

/**
 * A rejected gate ends its run: the other open gates and every other open item of it are withdrawn.
 */
export function withdrawRest(
  pen: Pen,
  state: ReviewState,
  decider: Omit<Decider, 'comment'>,
): { readonly rows: Rows; readonly events: readonly RunEvent[] } {
  const gates = state.gates
    .filter((gate) => gate.status === 'pending' && !gate.withdrawn)
    .map((gate) => ({ ...gate, withdrawn: true }));
  const items = state.items.filter(isOpen).map((item) => ({ ...item, withdrawn: true }));
  return {
    rows: { gates, items, decisions: [] },
    events: items.map((item) => settledEvent(pen, item, WITHDRAWN, { ...decider, comment: '' })),
  };
}
