import type { GateOpening, ReviewItem } from '../../domain/gates.js';
import type { RunEnd } from '../../domain/journal.js';
import { decodeGate, type GateRecord } from '../gate-row.js';
import { encodeItem } from '../item-row.js';
import { reviewRefused } from '../refusals.js';
import { planOpening } from '../review-plan.js';
import { GET_ITEM, INSERT_ITEM, IS_SETTLED, NEWEST_ROUND, WITHDRAW_REVIEWS } from './sql/reviews.js';
import type { Transaction } from './transaction.js';

/** What a run does to its reviews, in the open write transaction, its row locked. */

export async function openRound(tx: Transaction, jobId: string, opening: GateOpening): Promise<void> {
  const newest = await tx.get<GateRecord>(NEWEST_ROUND, { gateId: opening.gate.gateId });
  for (const statement of planOpening(opening, { jobId, newest: newest === undefined ? null : decodeGate(newest) })) {
    await tx.run(statement.sql, statement.params);
  }
}

/** An item whose id exists is left as it is: its step was repeated. */
export async function askPeople(tx: Transaction, jobId: string, asks: readonly ReviewItem[]): Promise<void> {
  for (const item of asks) {
    if (item.jobId !== jobId) throw reviewRefused(`item ${item.id} belongs to another run than ${jobId}`);
    if ((await tx.get(GET_ITEM, { id: item.id })) === undefined) await tx.run(INSERT_ITEM, encodeItem(item));
  }
}

export async function isSettled(tx: Transaction, waitingOn: readonly string[]): Promise<boolean> {
  return (await tx.get<{ settled: boolean }>(IS_SETTLED, { waitingOn }))?.settled === true;
}

/**
 * A run that has ended for good leaves nothing open; a stopped one can go on, and keeps what it
 * waits for.
 */
export async function withdrawReviews(tx: Transaction, jobId: string, status: RunEnd['status']): Promise<void> {
  if (status !== 'stopped') await tx.run(WITHDRAW_REVIEWS, { jobId });
}
