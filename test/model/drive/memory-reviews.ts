// The review tables of one job in memory: what a store does with an opening and with a change, and
// nothing else.
import type { GateOpening, GateRound, RecordedDecision, ReviewItem, ReviewState } from '../../../src/domain/gates.js';
import type { ReviewChange } from '../../../src/domain/ports/reviews.js';
import { instantOf, JOB_ID } from './names.js';

function replacedById<T extends { readonly id: string }>(rows: readonly T[], changed: readonly T[]): readonly T[] {
  if (changed.length === 0) return rows;
  const kept = rows.map((row) => changed.find(({ id }) => id === row.id) ?? row);
  return [...kept, ...changed.filter(({ id }) => !rows.some((row) => row.id === id))];
}

function replacedGates(rows: readonly GateRound[], changed: readonly GateRound[]): readonly GateRound[] {
  if (changed.length === 0) return rows;
  const same = (a: GateRound) => (b: GateRound) => a.gateId === b.gateId && a.round === b.round;
  return [...rows.map((row) => changed.find(same(row)) ?? row), ...changed.filter((row) => !rows.some(same(row)))];
}

export const applied = (state: ReviewState, change: ReviewChange<unknown>): ReviewState => ({
  ...state,
  gates: replacedGates(state.gates, change.gates),
  items: replacedById<ReviewItem>(state.items, change.items),
  decisions: replacedById<RecordedDecision>(state.decisions, change.decisions),
});

export const opened = (state: ReviewState, { gate, items, carried }: GateOpening): ReviewState => ({
  ...state,
  gates: replacedGates(state.gates, [gate]),
  items: replacedById<ReviewItem>(
    state.items.map((item) =>
      item.gateId === gate.gateId && item.round < gate.round && !item.stale ? { ...item, stale: true } : item,
    ),
    items,
  ),
  decisions: replacedById<RecordedDecision>(state.decisions, carried),
});

export const emptyReviews = (
  submittedBy: ReviewState['job']['submittedBy'],
  gateIds: readonly string[],
): ReviewState => ({
  now: instantOf(0),
  job: {
    id: JOB_ID,
    status: 'deferred',
    topologyId: 't',
    submittedBy,
    earlier: [],
    waitingOn: gateIds,
    autoResume: true,
  },
  gates: [],
  items: [],
  decisions: [],
});
