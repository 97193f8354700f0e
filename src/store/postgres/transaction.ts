import type { RunEvent, StoredEvent } from '../../domain/events.js';
import type { Fence } from '../../domain/job.js';
import { type ChainEnd, decodeEvent, type EventOwner, type EventRecord, encodeEvent } from '../event-row.js';
import { type HeldRow, HeldWrites } from './held-writes.js';
import { type Locked, type LockedJob, lockJobs, type StartFacts } from './locked-jobs.js';
import { movedIn } from './moved-in.js';
import { columnsOf, decodePending, type PendingEvent } from './pending-event.js';
import { FIND_EVENT, INSERT_EVENTS, LAST_OF_RUN } from './sql/events.js';
import { LOCK_JOB } from './sql/jobs.js';
import { BEGIN_WRITE, LOCK_OUTBOX, LOCK_QUEUE, START_FACTS } from './sql/session.js';
import type { SqlParams, SqlRunner } from './sql-runner.js';

/**
 * An event that is to be written; it has its position once the last statement of the commit has
 * run.
 */
export type Appended = () => StoredEvent;

export interface TransactionParts {
  readonly sql: SqlRunner;
  /** Names the log that was here when the store was opened. */
  readonly logId: string;
  /** Jobs whose rows are locked before anything else. */
  readonly jobIds: readonly string[];
  /**
   * One statement for each write, which says of it alone whether it was done, and a look at each
   * event id before it is given a number. Else writes are held, and a group in which one of them
   * cannot be done is done again singly.
   */
  readonly singly: boolean;
}

/** Something that was held cannot be written with the rest: nothing of the group counts. */
export class NotTogether extends Error {
  constructor() {
    super('a write of a group cannot be done together with the others');
  }
}

const CHAIN_START: ChainEnd = { seq: 0, hash: '' };

/**
 * One open write transaction, shared by the entries of a group. Events are written by its last
 * statement.
 */
export class Transaction {
  /**
   * The store's clock when the transaction began, ISO 8601: earlier than anything that is waited
   * for, so no lease is judged over too soon.
   */
  readonly now: string;
  /** The name by which the server knows what became of this transaction. */
  readonly xid: string;
  readonly #parts: TransactionParts;
  readonly #jobs = new Map<string, LockedJob>();
  readonly #chains = new Map<string, ChainEnd>();
  readonly #pending = new Map<string, PendingEvent>();
  readonly #held = new HeldWrites();
  #writes = 0;

  private constructor(parts: TransactionParts, facts: StartFacts, locked: Locked) {
    this.#parts = parts;
    this.now = facts.now;
    this.xid = facts.xid;
    for (const job of locked.jobs) this.#jobs.set(job.id, job);
    for (const end of locked.ends) this.#chains.set(end.job_id, { seq: end.seq, hash: end.hash });
    for (const id of this.#jobs.keys()) if (!this.#chains.has(id)) this.#chains.set(id, CHAIN_START);
  }

  /**
   * Begins, asks for the time, locks: one round trip. Throws KIT_STORE_UNAVAILABLE where another
   * store has been moved here since.
   */
  static async begin(parts: TransactionParts): Promise<Transaction> {
    const { sql } = parts;
    const [, facts, locked] = await Promise.all([
      sql.exec(BEGIN_WRITE),
      sql.get<StartFacts>(START_FACTS),
      lockJobs(sql, parts.jobIds),
    ]);
    if (facts === undefined) throw new Error('the server told no time');
    if (facts.log_id !== parts.logId) throw movedIn();
    return new Transaction(parts, facts, locked);
  }

  /**
   * Statements and events so far that change something: an entry that is refused before its first
   * one has nothing to undo.
   */
  get writes(): number {
    return this.#writes;
  }

  nowPlus(ms: number): string {
    return new Date(Date.parse(this.now) + ms).toISOString();
  }

  /**
   * Before any entry's work, so that two groups never wait for each other: nobody else admits runs
   * until the commit.
   */
  lockQueue(): Promise<unknown> {
    return this.#parts.sql.run(LOCK_QUEUE);
  }

  /** The locked row of a fence that holds; undefined = the lease is lost. */
  async fenced(fence: Fence): Promise<LockedJob | undefined> {
    const row = this.#jobs.get(fence.jobId) ?? (await this.#parts.sql.get<LockedJob>(LOCK_JOB, { jobId: fence.jobId }));
    if (row === undefined) return undefined;
    this.#jobs.set(row.id, row);
    return row.worker_id === fence.workerId && row.attempt === fence.attempt && row.status === 'running'
      ? row
      : undefined;
  }

  /** Number of rows changed. */
  async run(sql: string, params: SqlParams): Promise<number> {
    await this.#before(sql);
    return this.#parts.sql.run(sql, params);
  }

  async get<Row>(sql: string, params: SqlParams): Promise<Row | undefined> {
    await this.#before(sql);
    return this.#parts.sql.get<Row>(sql, params);
  }

  async all<Row>(sql: string, params: SqlParams): Promise<readonly Row[]> {
    await this.#before(sql);
    return this.#parts.sql.all<Row>(sql, params);
  }

  /** False = the step has a result. */
  async startStep(row: HeldRow & { readonly job_id: string; readonly key: string }): Promise<boolean> {
    if (this.#held.hasStep(row.job_id, row.key)) await this.#writeHeld();
    this.#held.startStep(row.job_id, row.key, row);
    return this.#holds();
  }

  /** False = the step is not open. */
  async endStep(row: HeldRow & { readonly jobId: string; readonly key: string }): Promise<boolean> {
    this.#held.endStep(row.jobId, row.key, row);
    return this.#holds();
  }

  /** The row whose lease is renewed; undefined = the lease is lost. */
  async beat(
    fence: Fence,
    beat: { readonly leaseUntil: string; readonly executedMs: number },
  ): Promise<LockedJob | undefined> {
    const row = await this.fenced(fence);
    if (row === undefined) return undefined;
    this.#held.beat(fence.jobId, beat);
    if (!(await this.#holds())) throw new NotTogether();
    return row;
  }

  /**
   * Ends a locked row, and what is open of its reviews: a run that has ended for good leaves
   * nothing open; a stopped one can go on.
   */
  async endJob(row: LockedJob, end: HeldRow & { readonly status: string }): Promise<void> {
    this.#held.endJob(row.id, end);
    this.#jobs.set(row.id, { ...row, status: end.status, worker_id: end.status === 'stopped' ? null : row.worker_id });
    if (!(await this.#holds())) throw new NotTogether();
  }

  /** Calls of models, in their order. */
  async keepPrompts(rows: readonly HeldRow[]): Promise<void> {
    this.#held.keepPrompts(rows);
    if (rows.length > 0 && !(await this.#holds())) throw new NotTogether();
  }

  /** A run whose row this transaction has inserted: the log holds nothing of it. */
  beginChain(jobId: string): void {
    this.#chains.set(jobId, CHAIN_START);
  }

  /**
   * Gives events of one owner their place in its chain. An event whose id is already in the log is
   * not written again: what the log holds is returned in its place.
   */
  async append(owner: EventOwner, events: readonly RunEvent[]): Promise<readonly Appended[]> {
    const appended: Appended[] = [];
    for (const event of events) appended.push(await this.#appendOne(owner, event));
    return appended;
  }

  /**
   * Whether the log holds this event already. Where writes are held it is found out when the events
   * are written, and all is done anew.
   */
  async hasEvent(eventId: string): Promise<boolean> {
    return this.#parts.singly && (await this.get(FIND_EVENT, { eventId })) !== undefined;
  }

  /** The last statements of the group: what is held, then the events. Throws NotTogether. */
  async finish(): Promise<void> {
    const pending = [...this.#pending.values()];
    if (pending.length === 0) return this.#writeHeld();
    const { sql } = this.#parts;
    const insert = () =>
      sql.all<{ event_id: string; pos: number }>(INSERT_EVENTS, columnsOf(pending.map(({ record }) => record)));
    const [, rows] = await Promise.all([this.#writeHeld(), insert()]);
    for (const { event_id, pos } of rows) {
      const written = this.#pending.get(event_id);
      if (written !== undefined) written.pos = pos;
    }
    // An event id was there already, so the numbers given are wrong.
    if (rows.length < pending.length) throw new NotTogether();
  }

  /**
   * What is held stays so until the end of the group; singly it is written at once. False: the row
   * was not as it has to be, and is as it was.
   */
  async #holds(): Promise<boolean> {
    this.#writes += 1;
    return !this.#parts.singly || this.#held.write(this.#parts.sql);
  }

  async #writeHeld(): Promise<void> {
    if (!this.#held.isEmpty && !(await this.#held.write(this.#parts.sql))) throw new NotTogether();
  }

  async #appendOne(owner: EventOwner, event: RunEvent): Promise<Appended> {
    const pending = this.#pending.get(event.eventId);
    if (pending !== undefined) return () => decodePending(pending);
    if (this.#parts.singly) {
      const found = await this.#parts.sql.get<EventRecord>(FIND_EVENT, { eventId: event.eventId });
      if (found !== undefined) return () => decodeEvent(found);
    }
    const record = encodeEvent(event, owner, await this.#chainEnd(owner.jobId));
    const added: PendingEvent = { record, pos: null };
    this.#pending.set(record.event_id, added);
    this.#chains.set(owner.jobId, { seq: record.seq, hash: record.hash });
    this.#writes += 1;
    return () => decodePending(added);
  }

  /**
   * Of a run under the lock of its row; of events that belong to no job under a lock of their own,
   * taken before their end is read.
   */
  async #chainEnd(jobId: string): Promise<ChainEnd> {
    const known = this.#chains.get(jobId);
    if (known !== undefined) return known;
    if (jobId === '') await this.#parts.sql.run(LOCK_OUTBOX);
    return (await this.#parts.sql.get<ChainEnd>(LAST_OF_RUN, { jobId })) ?? CHAIN_START;
  }

  /**
   * What is held comes before, and what is known of the locked rows no longer holds once one of
   * them may have changed.
   */
  async #before(sql: string): Promise<void> {
    if (!this.#held.isEmpty) await this.#writeHeld();
    if (/^\s*SELECT\b/.test(sql)) return;
    this.#writes += 1;
    if (/\bUPDATE jobs\b/.test(sql)) this.#jobs.clear();
  }
}
