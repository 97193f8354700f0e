import type { QueueLimit } from '../../domain/ports/stores.js';
import { queueFull } from '../refusals.js';
import { QUEUE_DEPTH } from '../sql/jobs.js';
import { NEWEST_ORD } from './sql/jobs.js';
import type { Transaction } from './transaction.js';

/**
 * How long a count stands: runs that were resumed, woken or given back since are not in it. In
 * proportion to what it cost: a small queue is counted for nearly every submit, and one of ten
 * thousand once a second.
 */
const COUNTED_PER_MS = 10;
const COUNT_STANDS_MS = 1_000;

interface Count {
  readonly queued: number;
  /** Of the newest row at that time. */
  readonly ord: number;
  readonly atMs: number;
}

const standsMs = ({ queued }: Count): number => Math.min(COUNT_STANDS_MS, queued / COUNTED_PER_MS);

/**
 * The bound on the runs that wait, under the lock of the queue. Counting ten thousand rows with
 * every submit would cost more than the submit: a count and what was inserted since, by anybody, is
 * at least what waits now, and while that is below the bound nothing is counted.
 */
export class Admission {
  #last: Count | null = null;
  /**
   * Transactions that have found the queue full: those behind in one commit are not counted for
   * again.
   */
  readonly #full = new WeakSet<Transaction>();

  /**
   * Makes room for one more run, which the caller inserts next. Throws KIT_QUEUE_FULL before
   * anything is written.
   */
  async admit(tx: Transaction, limit: QueueLimit): Promise<void> {
    if (this.#full.has(tx)) throw queueFull(limit);
    const ord = (await tx.get<{ ord: number }>(NEWEST_ORD, {}))?.ord ?? 0;
    const atMs = Date.parse(tx.now);
    const last = this.#last;
    if (last !== null && atMs - last.atMs <= standsMs(last) && last.queued + (ord - last.ord) < limit.maxQueued) return;
    const queued = (await tx.get<{ depth: number }>(QUEUE_DEPTH, { ...limit }))?.depth ?? 0;
    this.#last = { queued, ord, atMs };
    if (queued < limit.maxQueued) return;
    this.#full.add(tx);
    throw queueFull(limit);
  }
}
