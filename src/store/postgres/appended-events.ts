import type { RunEvent } from '../../domain/events.js';
import { reportedEnd } from '../../domain/reported-end.js';
import { type ChainEnd, decodeEvent, type EventOwner, type EventRecord, encodeEvent } from '../event-row.js';
import type { Appended } from '../program.js';
import type { AwaitedStatement } from './awaited-statements.js';
import { columnsOf, decodePending, type PendingEvent } from './pending-event.js';
import { FIND_EVENT, INSERT_EVENTS, LAST_OF_RUN, POSITIONS } from './sql/events.js';
import { LOCK_OUTBOX } from './sql/session.js';
import { COUNT_USAGE } from './sql/usage.js';
import type { LastStatement, SqlRunner } from './sql-runner.js';

/** What INSERT_EVENTS returns of each. */
interface NumberedEvent {
  readonly event_id: string;
  readonly pos: number;
}

const CHAIN_START: ChainEnd = { seq: 0, hash: '' };

/** The events of one transaction, in order: its last statement writes them. */
export class AppendedEvents {
  readonly #sql: SqlRunner;
  readonly #singly: boolean;
  readonly #chains = new Map<string, ChainEnd>();
  readonly #pending = new Map<string, PendingEvent>();
  readonly #ended = new Set<string>();

  /** `singly`: as in `TransactionParts`. */
  constructor(sql: SqlRunner, singly: boolean) {
    this.#sql = sql;
    this.#singly = singly;
  }

  /** Where the chain of a run ends; without an end the log holds nothing of it. */
  beginChain(jobId: string, end: ChainEnd = CHAIN_START): void {
    this.#chains.set(jobId, end);
  }

  /**
   * Gives an event its place in the chain of its owner. One whose id is already in the log is not
   * written again: what the log holds is returned in its place. `isNew`: it is to be written.
   */
  async append(owner: EventOwner, event: RunEvent): Promise<{ readonly appended: Appended; readonly isNew: boolean }> {
    const pending = this.#pending.get(event.eventId);
    if (pending !== undefined) return { appended: () => decodePending(pending), isNew: false };
    if (this.#singly) {
      const found = await this.#sql.get<EventRecord>(FIND_EVENT, { eventId: event.eventId });
      if (found !== undefined) return { appended: () => decodeEvent(found), isNew: false };
    }
    const record = encodeEvent(event, owner, await this.#chainEnd(owner.jobId));
    const added: PendingEvent = { record, pos: null };
    this.#pending.set(record.event_id, added);
    if (reportedEnd(event) !== null) this.#ended.add(owner.jobId);
    this.#chains.set(owner.jobId, { seq: record.seq, hash: record.hash });
    return { appended: () => decodePending(added), isNew: true };
  }

  /** The statement that writes them, where there are any. */
  takeLast(): readonly AwaitedStatement[] {
    if (this.#pending.size === 0) return [];
    const params = columnsOf([...this.#pending.values()].map(({ record }) => record));
    const again = { sql: POSITIONS, params: { eventIds: [...this.#pending.keys()] } };
    return [{ sql: INSERT_EVENTS, params, again, onRows: (rows) => this.#number(rows as readonly NumberedEvent[]) }];
  }

  /**
   * The statement that counts what runs used whose end is among them. It comes behind them: their
   * lock keeps two transactions from adding to the same totals.
   */
  takeEnded(): readonly LastStatement[] {
    return this.#ended.size === 0 ? [] : [{ sql: COUNT_USAGE, params: { jobIds: [...this.#ended] } }];
  }

  #number(rows: readonly NumberedEvent[]): void {
    for (const { event_id, pos } of rows) {
      const written = this.#pending.get(event_id);
      if (written !== undefined) written.pos = pos;
    }
  }

  /**
   * Of a run under the lock of its row; of events that belong to no job under a lock of their own,
   * taken before their end is read.
   */
  async #chainEnd(jobId: string): Promise<ChainEnd> {
    const known = this.#chains.get(jobId);
    if (known !== undefined) return known;
    if (jobId === '') await this.#sql.run(LOCK_OUTBOX);
    return (await this.#sql.get<ChainEnd>(LAST_OF_RUN, { jobId })) ?? CHAIN_START;
  }
}
