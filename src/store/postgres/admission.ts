import type { QueueLimit } from '../../domain/ports/stores.js';
import { queueFull } from '../refusals.js';
import { NotTogether } from './not-together.js';
import { COUNT_QUEUED, REQUIRE_ROOM } from './sql/jobs.js';
import type { SqlParams } from './sql-runner.js';
import type { Transaction } from './transaction.js';

/**
 * How long a count stands: runs that were resumed, woken or given back since are not in it. In
 * proportion to what it cost: a small queue is counted for nearly every submit, and one of ten
 * thousand once a second.
 */
const COUNTED_PER_MS = 10;
const COUNT_STANDS_MS = 1_000;

/** `queued` null: the last count stood, and left room. */
interface Counted {
  readonly queued: number | null;
  /** Of the newest row at that time. */
  readonly ord: number;
  readonly now: string;
}

type Count = Counted & { readonly queued: number };

const standsUntil = ({ queued, now }: Count): string =>
  new Date(Date.parse(now) + Math.min(COUNT_STANDS_MS, queued / COUNTED_PER_MS)).toISOString();

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
   * anything is written. Where nothing may be asked the commit ends with a statement that fails
   * where the bound does not hold, and the group is done again; so it is at once where the queue
   * was full when it was last counted.
   */
  async admit(tx: Transaction, limit: QueueLimit): Promise<void> {
    if (tx.parts.way !== 'presumed') return this.#ask(tx, limit);
    if (this.#last !== null && this.#last.queued >= limit.maxQueued) throw new NotTogether();
    tx.require(String(limit.maxQueued), {
      sql: REQUIRE_ROOM,
      params: this.#countedTo(limit.maxQueued),
      onRows: ([row]) => this.#keep(row as Counted),
    });
  }

  async #ask(tx: Transaction, limit: QueueLimit): Promise<void> {
    if (this.#full.has(tx)) throw queueFull(limit);
    const most = limit.maxQueued - 1;
    const counted = await tx.get<Counted>(COUNT_QUEUED, this.#countedTo(most));
    if (counted === undefined) throw new Error('the server counted nothing');
    this.#keep(counted);
    if ((counted.queued ?? 0) <= most) return;
    this.#full.add(tx);
    throw queueFull(limit);
  }

  /** `most`: how many may wait, at the moment of the statement, for that no more are counted. */
  #countedTo(most: number): SqlParams {
    const last = this.#last;
    return last === null
      ? { most, queued: 0, ord: 0, standsUntil: '' }
      : { most, queued: last.queued, ord: last.ord, standsUntil: standsUntil(last) };
  }

  #keep({ queued, ord, now }: Counted): void {
    if (queued !== null) this.#last = { queued, ord, now };
  }
}
