import type { RunEvent } from '../../domain/events.js';
import type { GateRound, RecordedDecision, ReviewItem, ReviewState } from '../../domain/gates.js';
import type { ReviewChange } from '../../domain/ports/reviews.js';

/** Rows that a decision replaces or adds; whole, by id (a gate by id and round). */
export interface Rows {
  readonly gates: readonly GateRound[];
  readonly items: readonly ReviewItem[];
  readonly decisions: readonly RecordedDecision[];
}

export const NO_ROWS: Rows = { gates: [], items: [], decisions: [] };

/** Both sets of rows; where they speak of the same row, the later one holds. */
export const joinRows = (earlier: Rows, later: Rows): Rows => ({
  gates: replaced(earlier.gates, later.gates, roundKey),
  items: replaced(earlier.items, later.items, idOf),
  decisions: replaced(earlier.decisions, later.decisions, idOf),
});

/**
 * What is stored when the rows are written: what a read of the job would give then, with the same
 * clock.
 */
export const withRows = (state: ReviewState, rows: Rows): ReviewState => ({ ...state, ...joinRows(state, rows) });

const idOf = (row: { readonly id: string }): string => row.id;
const roundKey = (gate: GateRound): string => `${gate.round} ${gate.gateId}`;

/**
 * Rows keep their place, new ones come last: decisions stay in the order in which they were
 * recorded.
 */
function replaced<T>(rows: readonly T[], changes: readonly T[], keyOf: (row: T) => string): readonly T[] {
  if (changes.length === 0) return rows;
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  for (const row of changes) byKey.set(keyOf(row), row);
  return [...byKey.values()];
}

/** A change that settles nothing: an answer to the caller, and what the log says of it. */
export const unchanged = <T>(result: T, events: readonly RunEvent[]): ReviewChange<T> => ({
  result,
  ...NO_ROWS,
  events,
  wake: null,
});
