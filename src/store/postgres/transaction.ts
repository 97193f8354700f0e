import type { RunEvent, StoredEvent } from '../../domain/events.js';
import type { Fence } from '../../domain/job.js';
import { type ChainEnd, decodeEvent, type EventOwner, type EventRecord, encodeEvent } from '../event-row.js';
import { FIND_EVENT, INSERT_EVENTS, LAST_OF_RUN, LAST_OF_RUNS } from './sql/events.js';
import { LOCK_JOB, LOCK_JOBS } from './sql/jobs.js';
import { LOCK_OUTBOX } from './sql/session.js';
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
  /** Looks each event id up before it is given a number: needed when one was found to be there already. */
  readonly looksUpEvents: boolean;
}

const CHAIN_START: ChainEnd = { seq: 0, hash: '' };

/** One open write transaction, shared by the entries of a group. Events are written by its last statement. */
export class Transaction {
  readonly now: string;
  readonly #parts: TransactionParts;
  readonly #jobs = new Map<string, LockedJob>();
  readonly #chains = new Map<string, ChainEnd>();
  #pending: Pending[] = [];
  #writes = 0;

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
    for (const job of await this.#parts.sql.all<LockedJob>(LOCK_JOBS, { jobIds })) this.#jobs.set(job.id, job);
    // Not in the statement above: it sees the log as it was before it waited for a lock.
    for (const end of await this.#parts.sql.all<ChainEnd & { readonly job_id: string }>(LAST_OF_RUNS, { jobIds })) {
      this.#chains.set(end.job_id, { seq: end.seq, hash: end.hash });
    }
    for (const id of this.#jobs.keys()) if (!this.#chains.has(id)) this.#chains.set(id, CHAIN_START);
  }

  /** The locked row of a fence that holds; undefined = the lease is lost. */
  async fenced(fence: Fence): Promise<LockedJob | undefined> {
    const row = this.#jobs.get(fence.jobId) ?? (await this.#parts.sql.get<LockedJob>(LOCK_JOB, { jobId: fence.jobId }));
    if (row === undefined) return undefined;
    this.#jobs.set(row.id, row);
    return row.worker_id === fence.workerId && row.attempt === fence.attempt && row.status === 'running' ? row : undefined;
  }

  /** Number of rows changed. */
  run(sql: string, params: SqlParams): Promise<number> {
    this.#note(sql);
    return this.#parts.sql.run(sql, params);
  }

  get<Row>(sql: string, params: SqlParams): Promise<Row | undefined> {
    this.#note(sql);
    return this.#parts.sql.get<Row>(sql, params);
  }

  all<Row>(sql: string, params: SqlParams): Promise<readonly Row[]> {
    this.#note(sql);
    return this.#parts.sql.all<Row>(sql, params);
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

  /** The last statement of the group. False: an event id was there already, so the numbers given are wrong and all is to be done anew. */
  async writeEvents(): Promise<boolean> {
    if (this.#pending.length === 0) return true;
    const columns = columnsOf(this.#pending.map((pending) => pending.record));
    const rows = await this.#parts.sql.all<{ event_id: string; pos: number }>(INSERT_EVENTS, columns);
    const positions = new Map(rows.map((row) => [row.event_id, row.pos]));
    for (const pending of this.#pending) pending.pos = positions.get(pending.record.event_id) ?? null;
    return this.#pending.every((pending) => pending.pos !== null);
  }

  async #appendOne(owner: EventOwner, event: RunEvent): Promise<Appended> {
    const pending = this.#pending.find((other) => other.record.event_id === event.eventId);
    if (pending !== undefined) return () => decodePending(pending);
    if (this.#parts.looksUpEvents) {
      const found = await this.#parts.sql.get<EventRecord>(FIND_EVENT, { eventId: event.eventId });
      if (found !== undefined) return () => decodeEvent(found);
    }
    const record = encodeEvent(event, owner, await this.#chainEnd(owner.jobId));
    const added: Pending = { record, pos: null };
    this.#pending.push(added);
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

  /** What is known of the locked rows no longer holds once one of them may have changed. */
  #note(sql: string): void {
    if (/^\s*SELECT\b/.test(sql)) return;
    this.#writes += 1;
    if (/\bUPDATE jobs\b/.test(sql)) this.#jobs.clear();
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
