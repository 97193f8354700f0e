import type { GateOpening, ReviewItem } from '../../domain/gates.js';
import type { RunEnd } from '../../domain/journal.js';
import { decodeGate, type GateRecord } from '../gate-row.js';
import { encodeItem } from '../item-row.js';
import { reviewRefused } from '../refusals.js';
import { planOpening } from '../review-plan.js';
import {
  DROP_TIMERS,
  GET_ITEM,
  INSERT_ITEM,
  IS_SETTLED,
  NEWEST_ROUND,
  WITHDRAW_GATES,
  WITHDRAW_ITEMS,
} from './sql/reviews.js';
import type { SqlRunner } from './sql-runner.js';

/** What a run does to its reviews, in the open write transaction. */

export function openRound(sql: SqlRunner, jobId: string, opening: GateOpening): void {
  const newest = sql.get<GateRecord>(NEWEST_ROUND, { gateId: opening.gate.gateId });
  for (const statement of planOpening(opening, { jobId, newest: newest === undefined ? null : decodeGate(newest) })) {
    sql.run(statement.sql, statement.params);
  }
}

/** An item whose id exists is left as it is: its step was repeated. */
export function askPeople(sql: SqlRunner, jobId: string, asks: readonly ReviewItem[]): void {
  for (const item of asks) {
    if (item.jobId !== jobId) throw reviewRefused(`item ${item.id} belongs to another run than ${jobId}`);
    if (sql.get(GET_ITEM, { id: item.id }) === undefined) sql.run(INSERT_ITEM, encodeItem(item));
  }
}

export function isSettled(sql: SqlRunner, waitingOn: readonly string[]): boolean {
  return sql.get<{ settled: number }>(IS_SETTLED, { waitingOn: JSON.stringify(waitingOn) })?.settled === 1;
}

/**
 * A run that has ended for good leaves nothing open; a stopped one can go on, and keeps what it
 * waits for.
 */
export function withdrawReviews(sql: SqlRunner, jobId: string, status: RunEnd['status']): void {
  if (status === 'stopped') return;
  for (const statement of [WITHDRAW_GATES, WITHDRAW_ITEMS, DROP_TIMERS]) sql.run(statement, { jobId });
}
