import type { RunEvent, StoredEvent } from '../../domain/events.js';
import type { Fence } from '../../domain/job.js';
import type { QueueLimit } from '../../domain/ports/stores.js';
import { type ChainEnd, decodeEvent, type EventOwner, type EventRecord, encodeEvent } from '../event-row.js';
import { queueFull } from '../refusals.js';
import { type HeldRow, HeldWrites } from './held-writes.js';
import { FIND_EVENT, INSERT_EVENTS, LAST_OF_RUN, LAST_OF_RUNS } from './sql/events.js';
import { END_JOB, HEARTBEAT, LOCK_JOB, LOCK_JOBS, QUEUE_DEPTH } from './sql/jobs.js';
import { WITHDRAW_REVIEWS } from './sql/reviews.js';
import { LOCK_OUTBOX, LOCK_QUEUE } from './sql/session.js';
import { END_STEP, START_STEP } from './sql/steps.js';
import type { SqlParams, SqlRunner } from './sql-runner.js';

/** What a commit must know of the job that it writes for; read when the row was locked. */
export interface LockedJob {
  readonly id: string;
  readonly worker_id: string | null;
  readonly attempt: number;
  readonly status: string;
  readonly labels: string;
  readonly correlation_id: string | null;
  readonly crashes: number;
  readonly topology: string;
  readonly stop_requested_at: string | null;
  readonly stop_requested_by: string | null;
}

/** An event that is to be written; it has its position once the last statement of the commit has run. */
export type Appended = () => StoredEvent;

interface Pending {
  readonly record: Omit<EventRecord, 'pos'>;
  pos: number | null;
}

export interface TransactionParts {
  readonly sql: SqlRunner;
  /** The store's clock when the transaction began, ISO 8601: earlier than anything that is waited for, so no lease is judged over too soon. */
  readonly now: string;
  /**
   * One statement for each write, which says of it alone whether it was done, and a look at each event id before it is given a number.
   * Else writes are held, and a group in which one of them cannot be done is done again singly.
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

/** One open write transaction, shared by the entries of a group. Events are written by its last statement. */
export class Transaction {
  readonly now: string;
  readonly #parts: TransactionParts;
  readonly #jobs = new Map<string, LockedJob>();
  readonly #chains = new Map<string, ChainEnd>();
  readonly #pending = new Map<string, Pending>();
  readonly #held = new HeldWrites();
  #writes = 0;
  /** Runs that wait, counted no further than a limit; null = not counted since rows changed. */
  #queued: number | null = null;

  constructor(parts: TransactionParts) {
    this.#parts = parts;
    this.now = parts.now;
  }

  /** Statements and events so far that change something: an entry that is refused before its first one has nothing to undo. */
  get writes(): number {
    return this.#writes;
  }

  nowPlus(ms: number): string {
    return new Date(Date.parse(this.now) + ms).toISOString();
  }

  /** The first statement of the group. */
  async lock(jobIds: readonly string[]): Promise<void> {
    if (jobIds.length === 0) return;
    const { sql } = this.#parts;
    // Not in one statement: it would see the log as it was before it waited for a lock.
    const [jobs, ends] = await Promise.all([
      sql.all<LockedJob>(LOCK_JOBS, { jobIds }),
      sql.all<ChainEnd & { readonly job_id: string }>(LAST_OF_RUNS, { jobIds }),
    ]);
    for (const job of jobs) this.#jobs.set(job.id, job);
    for (const end of ends) this.#chains.set(end.job_id, { seq: end.seq, hash: end.hash });
    for (const id of this.#jobs.keys()) if (!this.#chains.has(id)) this.#chains.set(id, CHAIN_START);
  }

  /** Before any entry's work, so that two groups never wait for each other: nobody else admits runs until the commit. */
  lockQueue(): Promise<unknown> {
    return this.#parts.sql.run(LOCK_QUEUE);
  }

  /** Makes room for one more run, which the caller inserts next. Throws KIT_QUEUE_FULL. The queue is locked. */
  async admit(limit: QueueLimit): Promise<void> {
    const queued = this.#queued ?? (await this.#parts.sql.get<{ depth: number }>(QUEUE_DEPTH, { ...limit }))?.depth ?? 0;
    this.#queued = queued;
    if (queued >= limit.maxQueued) throw queueFull(limit);
    this.#queued = queued + 1;
  }

  /** The locked row of a fence that holds; undefined = the lease is lost. */
  async fenced(fence: Fence): Promise<LockedJob | undefined> {
    const row = this.#jobs.get(fence.jobId) ?? (await this.#parts.sql.get<LockedJob>(LOCK_JOB, { jobId: fence.jobId }));
    if (row === undefined) return undefined;
    this.#jobs.set(row.id, row);
    return row.worker_id === fence.workerId && row.attempt === fence.attempt && row.status === 'running' ? row : undefined;
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

  /** START_STEP; false = the step has a result. */
  async startStep(row: HeldRow & { readonly job_id: string; readonly key: string }): Promise<boolean> {
    if (this.#parts.singly) return (await this.run(START_STEP, row)) > 0;
    if (this.#held.hasStep(row.job_id, row.key)) await this.#writeHeld();
    this.#held.startStep(row.job_id, row.key, row);
    this.#writes += 1;
    return true;
  }

  /** END_STEP; false = the step is not open. */
  async endStep(row: HeldRow & { readonly jobId: string; readonly key: string }): Promise<boolean> {
    if (this.#parts.singly) return (await this.run(END_STEP, row)) > 0;
    this.#held.endStep(row.jobId, row.key, row);
    this.#writes += 1;
    return true;
  }

  /** HEARTBEAT: the row that is renewed; undefined = the lease is lost. */
  async beat(fence: Fence, beat: { readonly leaseUntil: string; readonly executedMs: number }): Promise<LockedJob | undefined> {
    const row = await this.fenced(fence);
    if (row === undefined) return undefined;
    if (this.#parts.singly) await this.run(HEARTBEAT, { ...fence, ...beat });
    else this.#held.beat(fence.jobId, beat);
    this.#writes += 1;
    return row;
  }

  /** END_JOB of a locked row, and what is open of its reviews: a run that has ended for good leaves nothing open; a stopped one can go on. */
  async endJob(row: LockedJob, end: HeldRow & { readonly status: string }): Promise<void> {
    if (this.#parts.singly) {
      await this.run(END_JOB, end);
      if (end.status !== 'stopped') await this.run(WITHDRAW_REVIEWS, { jobId: row.id });
      return;
    }
    this.#held.endJob(row.id, end);
    this.#jobs.set(row.id, { ...row, status: end.status, worker_id: end.status === 'stopped' ? null : row.worker_id });
    this.#writes += 1;
  }

  /**
   * Gives events of one owner their place in its chain. An event whose id is already in the log is not written again: what the log
   * holds is returned in its place.
   */
  async append(owner: EventOwner, events: readonly RunEvent[]): Promise<readonly Appended[]> {
    const appended: Appended[] = [];
    for (const event of events) appended.push(await this.#appendOne(owner, event));
    return appended;
  }

  /** Whether the log holds this event already. Where writes are held it is found out when the events are written, and all is done anew. */
  async hasEvent(eventId: string): Promise<boolean> {
    return this.#parts.singly && (await this.get(FIND_EVENT, { eventId })) !== undefined;
  }

  /** The last statements of the group: what is held, then the events. Throws NotTogether. */
  async finish(): Promise<void> {
    const pending = [...this.#pending.values()];
    if (pending.length === 0) return this.#writeHeld();
    const { sql } = this.#parts;
    const insert = () => sql.all<{ event_id: string; pos: number }>(INSERT_EVENTS, columnsOf(pending.map(({ record }) => record)));
    const [, rows] = await Promise.all([this.#writeHeld(), insert()]);
    for (const { event_id, pos } of rows) {
      const written = this.#pending.get(event_id);
      if (written !== undefined) written.pos = pos;
    }
    // An event id was there already, so the numbers given are wrong.
    if (rows.length < pending.length) throw new NotTogether();
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
    const added: Pending = { record, pos: null };
    this.#pending.set(record.event_id, added);
    this.#chains.set(owner.jobId, { seq: record.seq, hash: record.hash });
    this.#writes += 1;
    return () => decodePending(added);
  }

  /** Of a run under the lock of its row; of events that belong to no job under a lock of their own, taken before their end is read. */
  async #chainEnd(jobId: string): Promise<ChainEnd> {
    const known = this.#chains.get(jobId);
    if (known !== undefined) return known;
    if (jobId === '') await this.#parts.sql.run(LOCK_OUTBOX);
    return (await this.#parts.sql.get<ChainEnd>(LAST_OF_RUN, { jobId })) ?? CHAIN_START;
  }

  /** What is held comes before, and what is known of the locked rows no longer holds once one of them may have changed. */
  async #before(sql: string): Promise<void> {
    if (!this.#held.isEmpty) await this.#writeHeld();
    if (/^\s*SELECT\b/.test(sql)) return;
    this.#writes += 1;
    if (!/\bUPDATE jobs\b/.test(sql)) return;
    this.#jobs.clear();
    this.#queued = null;
  }
}

function decodePending({ record, pos }: Pending): StoredEvent {
  if (pos === null) throw new Error(`event ${record.event_id} was asked for before it was written`);
  return decodeEvent({ ...record, pos });
}

type EventColumn = keyof EventRecord;

const EVENT_COLUMNS: readonly EventColumn[] = [
  'pos',
  'job_id',
  'seq',
  'event_id',
  'type',
  'timestamp',
  'topology_id',
  'agent_id',
  'skill_id',
  'step_key',
  'payload',
  'labels',
  'correlation_id',
  'prev_hash',
  'hash',
];

/** Many events as one list for each column. */
export function columnsOf(records: readonly (Omit<EventRecord, 'pos'> & Partial<Pick<EventRecord, 'pos'>>)[]): SqlParams {
  return Object.fromEntries(EVENT_COLUMNS.map((column) => [column, records.map((record) => record[column] ?? null)]));
}
