import type { RunEvent } from '../../domain/events.js';
import type { Fence } from '../../domain/job.js';
import { onceKnown, type Soon } from '../../lib/soon.js';
import type { EventOwner } from '../event-row.js';
import type { Appended } from '../program.js';
import { AppendedEvents } from './appended-events.js';
import { AwaitedStatements, type LastWrite } from './awaited-statements.js';
import { rolledBack } from './failures.js';
import type { KnownRun } from './followed-logs.js';
import { type Beat, type HeldRow, HeldWrites } from './held-writes.js';
import { heldBy, type LockedJob, type StartFacts } from './locked-jobs.js';
import { asRefused, NotTogether, requireTogether } from './not-together.js';
import { FIND_EVENT } from './sql/events.js';
import { LOCK_JOB } from './sql/jobs.js';
import type { LastStatement, SqlParams, SqlRunner } from './sql-runner.js';
import type { TransactionParts } from './transaction-parts.js';
import { byEvent, type Witness } from './witness.js';

/**
 * One open write transaction, shared by the entries of a group. Events are written by its last
 * statement.
 */
export class Transaction {
  readonly #parts: TransactionParts;
  readonly #facts: StartFacts;
  readonly #jobs = new Map<string, LockedJob>();
  /** Rows whose fences held, and that nobody has changed since. */
  readonly #fenced = new Map<string, LockedJob>();
  readonly #rolledBack = new Set<string>();
  readonly #events: AppendedEvents;
  readonly #held = new HeldWrites();
  readonly #last = new AwaitedStatements();
  #writes = 0;

  /** See begin.ts. */
  constructor(parts: TransactionParts, facts: StartFacts, runs: readonly KnownRun[]) {
    this.#parts = parts;
    this.#facts = facts;
    this.#events = new AppendedEvents(parts.sql, parts.way);
    for (const { row, log, isRolledBack } of runs) {
      if (isRolledBack === true) this.#rolledBack.add(row.id);
      this.#jobs.set(row.id, row);
      this.#events.beginChain(row.id, log);
    }
  }

  /**
   * The store's clock when the transaction began, ISO 8601: earlier than anything that is waited
   * for, so no lease is judged over too soon.
   */
  get now(): string {
    return this.#facts.now;
  }

  /** The name by which the server knows what became of this transaction. */
  get xid(): string {
    return this.#facts.xid;
  }

  /** Of an event that it writes, or of what it writes last, where there is any. */
  get witness(): Witness | undefined {
    const { first } = this.#events;
    return first === undefined ? this.#last.witness : byEvent(first);
  }

  /**
   * Statements and events so far that change something: an entry that is refused before its first
   * one has nothing to undo.
   */
  get writes(): number {
    return this.#writes + this.#events.size;
  }

  get parts(): Pick<TransactionParts, 'way' | 'logs'> {
    return this.#parts;
  }

  nowPlus(ms: number): string {
    return new Date(Date.parse(this.now) + ms).toISOString();
  }

  /** The locked row of a fence that holds; undefined = the lease is lost. Throws `rolledBack`. */
  fenced(fence: Fence): Soon<LockedJob | undefined> {
    if (this.#rolledBack.has(fence.jobId)) throw rolledBack(fence);
    const row = this.#last.isSent ? this.#jobs.get(fence.jobId) : undefined;
    if (row === undefined) return this.#locked(fence);
    const held = heldBy(row, fence);
    if (held !== undefined) this.#fenced.set(row.id, held);
    return held;
  }

  async #locked(fence: Fence): Promise<LockedJob | undefined> {
    await this.#flushLast();
    const row = this.#jobs.get(fence.jobId) ?? (await this.#parts.sql.get<LockedJob>(LOCK_JOB, { jobId: fence.jobId }));
    if (row === undefined) return undefined;
    this.#jobs.set(row.id, row);
    return heldBy(row, fence);
  }

  /** Number of rows changed. */
  async run(sql: string, params: SqlParams): Promise<number> {
    this.#writes += 1;
    await this.#before();
    return this.#parts.sql.run(sql, params);
  }

  /** `run` of what changes rows of `jobs`: what is known of the locked ones no longer holds. */
  setJobs(sql: string, params: SqlParams): Promise<number> {
    this.#jobs.clear();
    this.#fenced.clear();
    return this.run(sql, params);
  }

  /** The rows that were changed, none of them of `jobs` but new ones. */
  change<Row>(sql: string, params: SqlParams): Promise<readonly Row[]> {
    this.#writes += 1;
    return this.all<Row>(sql, params);
  }

  async get<Row>(sql: string, params: SqlParams): Promise<Row | undefined> {
    return (await this.all<Row>(sql, params))[0];
  }

  async all<Row>(sql: string, params: SqlParams): Promise<readonly Row[]> {
    await this.#before();
    return this.#parts.sql.all<Row>(sql, params);
  }

  /**
   * A statement that nobody waits for within the transaction: it goes out with COMMIT, or before
   * the next one that somebody waits for. Its rows are there once all is committed. `again`: see
   * `AwaitedStatement`.
   */
  last<Row>(write: LastWrite): () => readonly Row[] {
    this.#writes += 1;
    if (write.op === 'setJobs') this.#jobs.clear();
    return this.#last.add(write);
  }

  /**
   * The last statement before COMMIT, once for all who require the same: what fails there undoes
   * the group. `key` says what is the same.
   */
  require(key: string, statement: LastStatement): void {
    this.#last.require(key, statement);
  }

  /** False = the step has a result. */
  startStep(row: HeldRow & { readonly job_id: string; readonly key: string }): Soon<boolean> {
    const start = (): Soon<boolean> => {
      this.#held.startStep(row.job_id, row.key, row);
      return this.#holds();
    };
    return this.#held.hasStep(row.job_id, row.key) ? this.#writeHeld().then(start) : start();
  }

  /** False = the step is not open. */
  endStep(row: HeldRow & { readonly jobId: string; readonly key: string }): Soon<boolean> {
    this.#held.endStep(row.jobId, row.key, row);
    return this.#holds();
  }

  /** The row whose lease is renewed; undefined = the lease is lost. */
  async beat(fence: Fence, beat: Beat): Promise<LockedJob | undefined> {
    const row = await this.fenced(fence);
    if (row === undefined) return undefined;
    this.#held.beat(fence.jobId, beat);
    await this.#holdsAll();
    return row;
  }

  /**
   * Ends a locked row, and what is open of its reviews: a run that has ended for good leaves
   * nothing open; a stopped one can go on.
   */
  endJob(row: LockedJob, end: HeldRow & { readonly status: string }): Soon<void> {
    this.#held.endJob(row.id, end);
    this.#fenced.delete(row.id);
    this.#jobs.set(row.id, { ...row, status: end.status, worker_id: end.status === 'stopped' ? null : row.worker_id });
    return this.#holdsAll();
  }

  /** Calls of models, in their order. */
  async keepPrompts(rows: readonly HeldRow[]): Promise<void> {
    this.#held.keepPrompts(rows);
    if (rows.length > 0) await this.#holdsAll();
  }

  /** A run whose row this transaction has inserted: the log holds nothing of it. */
  beginChain(jobId: string): void {
    this.#events.beginChain(jobId);
  }

  /**
   * Gives events of one owner their place in its chain. An event whose id is already in the log is
   * not written again: what the log holds is returned in its place.
   */
  async append(owner: EventOwner, events: readonly RunEvent[]): Promise<readonly Appended[]> {
    const appended: Appended[] = [];
    for (const event of events) appended.push(await this.#events.append(owner, event));
    return appended;
  }

  /** `append` of one whose position nobody asks for; undefined: nothing is waited for. */
  writeEvent(owner: EventOwner, event: RunEvent): Promise<void> | undefined {
    return this.#events.write(owner, event);
  }

  /**
   * Whether the log holds this event already. Where writes are held it is found out when the events
   * are written, and all is done anew.
   */
  hasEvent(eventId: string): Soon<boolean> {
    return this.#parts.way === 'singly' && this.get(FIND_EVENT, { eventId }).then((found) => found !== undefined);
  }

  /**
   * One round trip: what goes out last, what is held, the events, what ended runs used, what is
   * required, COMMIT, and `behind` it what is no part of it. Throws NotTogether: nothing is
   * written.
   */
  async commit(behind: string | null): Promise<void> {
    const last = this.#last.take();
    const events = this.#events.takeLast((statement) => this.#last.awaited(statement));
    const written = [...last, ...this.#held.takeLast(), ...events, ...this.#events.takeEnded()];
    try {
      await this.#parts.sql.commit([...written, ...this.#last.required], behind);
    } catch (error) {
      throw asRefused(error, this.#parts.way);
    }
    this.#events.keepFollowed(this.#parts, this.#fenced);
  }

  /** After a commit whose answers were lost, by another connection: what it returned. */
  readAgain(sql: SqlRunner): Promise<void> {
    return this.#last.readAgain(sql);
  }

  /**
   * What is held stays so until the end of the group; singly it is written at once. False: the row
   * was not as it has to be, and is as it was.
   */
  #holds(): Soon<boolean> {
    this.#writes += 1;
    return this.#parts.way !== 'singly' || this.#held.write(this.#parts.sql);
  }

  /** The same of what is there for certain. Throws NotTogether. */
  #holdsAll(): Soon<void> {
    return onceKnown(this.#holds(), requireTogether);
  }

  async #writeHeld(): Promise<void> {
    if (!this.#held.isEmpty && !(await this.#held.write(this.#parts.sql))) throw new NotTogether();
  }

  /** What is held comes before. */
  async #before(): Promise<void> {
    await this.#flushLast();
    if (!this.#held.isEmpty) await this.#writeHeld();
  }

  async #flushLast(): Promise<void> {
    await this.#last.send(this.#parts.sql).catch((error: unknown) => {
      throw asRefused(error, this.#parts.way);
    });
  }
}
