import type { RunEvent } from '../../domain/events.js';
import { reportedEnd } from '../../domain/reported-end.js';
import { type ChainEnd, decodeEvent, type EventOwner, type EventRecord, encodeEvent } from '../event-row.js';
import type { Appended } from '../program.js';
import type { RunUsage } from '../run-usage.js';
import type { AwaitedStatement } from './awaited-statements.js';
import { type FollowedLog, newLog } from './followed-logs.js';
import type { LockedJob } from './locked-jobs.js';
import { columnsOf, decodePending, type PendingEvent } from './pending-event.js';
import { FIND_EVENT, INSERT_AND_NUMBER_EVENTS, INSERT_EVENTS, LAST_OF_RUN, POSITIONS } from './sql/events.js';
import { LOCK_OUTBOX } from './sql/session.js';
import { ADD_USAGE, COUNT_USAGE, USAGE_COLUMNS } from './sql/usage.js';
import type { LastStatement, SqlParams, SqlRunner } from './sql-runner.js';
import type { TransactionParts, Way } from './transaction-parts.js';

/** What INSERT_AND_NUMBER_EVENTS returns of each. */
interface NumberedEvent {
  readonly event_id: string;
  readonly pos: number;
}

/** A row of `usage_runs`. */
type UsedRow = { readonly job_id: string } & ReturnType<RunUsage['rows']>[number];

const usageColumns = (used: readonly UsedRow[]): SqlParams =>
  Object.fromEntries(USAGE_COLUMNS.map((name) => [name, used.map((row) => row[name])]));

/** The events of one transaction, in order: its last statement writes them. */
export class AppendedEvents {
  readonly #sql: SqlRunner;
  readonly #way: Way;
  readonly #chains = new Map<string, FollowedLog>();
  readonly #pending = new Map<string, PendingEvent>();
  readonly #ended = new Set<string>();
  /** Somebody asks for positions. */
  #isNumbered = false;

  /** `way`: as in `TransactionParts`. */
  constructor(sql: SqlRunner, way: Way) {
    this.#sql = sql;
    this.#way = way;
  }

  /** Where the chain of a run ends; without an end the log holds nothing of it. */
  beginChain(jobId: string, log: FollowedLog = newLog()): void {
    this.#chains.set(jobId, log);
  }

  /** How many are to be written. */
  get size(): number {
    return this.#pending.size;
  }

  /** One of them, where there are any. */
  get first(): Pick<EventRecord, 'event_id' | 'hash'> | undefined {
    return this.#pending.values().next().value?.record;
  }

  /**
   * Gives an event its place in the chain of its owner. One whose id is already in the log is not
   * written again: what the log holds is returned in its place.
   */
  async append(owner: EventOwner, event: RunEvent): Promise<Appended> {
    this.#isNumbered = true;
    const known = this.#pending.get(event.eventId) ?? (await this.#find(event.eventId));
    if (known !== undefined) return 'record' in known ? () => decodePending(known) : () => decodeEvent(known);
    const added = this.#add(owner, event, await this.#chainEnd(owner.jobId));
    return () => decodePending(added);
  }

  /** The same where nobody asks what the log says of it; undefined: nothing is waited for. */
  write(owner: EventOwner, event: RunEvent): Promise<void> | undefined {
    if (this.#pending.has(event.eventId)) return undefined;
    const end = this.#way === 'singly' ? undefined : this.#chains.get(owner.jobId);
    if (end === undefined) return this.append(owner, event).then(() => undefined);
    this.#add(owner, event, end);
    return undefined;
  }

  /** The statement that writes them, where there are any; `awaited`: its rows are waited for. */
  takeLast(awaited: (statement: AwaitedStatement) => LastStatement): readonly LastStatement[] {
    if (this.#pending.size === 0) return [];
    const params = columnsOf([...this.#pending.values()].map(({ record }) => record));
    if (!this.#isNumbered) return [{ sql: INSERT_EVENTS, params }];
    const again = { sql: POSITIONS, params: { eventIds: [...this.#pending.keys()] } };
    const onRows = (rows: readonly unknown[]): void => this.#number(rows as readonly NumberedEvent[]);
    return [awaited({ sql: INSERT_AND_NUMBER_EVENTS, params, again, onRows })];
  }

  /**
   * The statement that counts what runs used whose end is among them. It comes behind them: their
   * lock keeps two transactions from adding to the same totals.
   */
  takeEnded(): readonly LastStatement[] {
    const jobIds: string[] = [];
    const rows: UsedRow[] = [];
    for (const jobId of this.#ended) {
      const used = this.#chains.get(jobId)?.used ?? null;
      if (used === null) jobIds.push(jobId);
      else for (const row of used.rows()) rows.push({ job_id: jobId, ...row });
    }
    return [
      ...(rows.length === 0 ? [] : [{ sql: ADD_USAGE, params: usageColumns(rows) }]),
      ...(jobIds.length === 0 ? [] : [{ sql: COUNT_USAGE, params: { jobIds } }]),
    ];
  }

  /**
   * All is committed. An ended run is counted: whoever goes on with it reads its log. `rows`: of
   * the runs that this process goes on to hold.
   */
  keepFollowed(
    { logs, jobIds }: Pick<TransactionParts, 'logs' | 'jobIds'>,
    rows: ReadonlyMap<string, LockedJob>,
  ): void {
    for (const jobId of jobIds) {
      const log = this.#chains.get(jobId);
      if (log !== undefined && !this.#ended.has(jobId)) logs.keep(jobId, log, rows.get(jobId) ?? null);
    }
  }

  #add(owner: EventOwner, event: RunEvent, log: FollowedLog): PendingEvent {
    const record = encodeEvent(event, owner, log);
    const added: PendingEvent = { record, pos: null };
    this.#pending.set(record.event_id, added);
    if (reportedEnd(event) !== null) this.#ended.add(owner.jobId);
    const { seq, hash } = record;
    if (event.type === 'model.called') log.used?.add({ ...event, seq });
    this.#chains.set(owner.jobId, { seq, hash, used: log.used });
    return added;
  }

  /** Singly it is asked whether it is there already. */
  async #find(eventId: string): Promise<EventRecord | undefined> {
    return this.#way === 'singly' ? this.#sql.get<EventRecord>(FIND_EVENT, { eventId }) : undefined;
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
  async #chainEnd(jobId: string): Promise<FollowedLog> {
    const known = this.#chains.get(jobId);
    if (known !== undefined) return known;
    if (jobId === '') await this.#sql.run(LOCK_OUTBOX);
    const end = await this.#sql.get<ChainEnd>(LAST_OF_RUN, { jobId });
    return end === undefined ? newLog() : { ...end, used: null };
  }
}
