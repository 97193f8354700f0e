import type { GateOpening, ReviewItem } from '../domain/gates.js';
import type { RunEnd } from '../domain/journal.js';
import { get, type Program, run } from './program.js';
import { reviewRefused } from './refusals.js';
import { planOpening } from './review-plan.js';
import { GATES, type GateRecord, ITEMS } from './review-rows.js';
import { GET_ITEM, INSERT_ITEM, NEWEST_ROUND } from './sql/reviews.js';

/** What a run does to its reviews, in the open write transaction, its row locked. */

export function* openRound(jobId: string, opening: GateOpening): Program<void> {
  const newest = yield* get<GateRecord>(NEWEST_ROUND, { gateId: opening.gate.gateId });
  for (const statement of planOpening(opening, { jobId, newest: newest === undefined ? null : GATES.decode(newest) }))
    yield* run(statement.sql, statement.params);
}

/** An item whose id exists is left as it is: its step was repeated. */
export function* askPeople(jobId: string, asks: readonly ReviewItem[]): Program<void> {
  for (const item of asks) {
    if (item.jobId !== jobId) throw reviewRefused(`item ${item.id} belongs to another run than ${jobId}`);
    if ((yield* get(GET_ITEM, { id: item.id })) === undefined) yield* run(INSERT_ITEM, ITEMS.encode(item));
  }
}

/**
 * A run that has ended for good leaves nothing open; a stopped one can go on, and keeps what it
 * waits for. `statements`: as the dialect puts them together.
 */
export function* withdrawReviews(
  statements: readonly string[],
  jobId: string,
  status: RunEnd['status'],
): Program<void> {
  if (status === 'stopped') return;
  for (const statement of statements) yield* run(statement, { jobId });
}
