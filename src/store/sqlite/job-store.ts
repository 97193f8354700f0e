import type { RunEvent } from '../../domain/events.js';
import type { Fence, Job, WaitingStatus } from '../../domain/job.js';
import type { JobOffers } from '../../domain/job-needs.js';
import type { AfterBegun, Begun } from '../../domain/ports/begun.js';
import type {
  ClaimRequest,
  JobStore,
  NewJob,
  Once,
  QueueClaim,
  QueueLimit,
  SweepOptions,
  WorkerHost,
} from '../../domain/ports/stores.js';
import { askTogether } from '../../lib/ask-together.js';
import { assertOffered } from '../assert-offered.js';
import { ownerOf } from '../event-row.js';
import { decodeClaimed, decodeJob, type Inserted, type JobRow, leaseOf, newRowParams } from '../job-row.js';
import { begunWith, encodeWrites, fenceOf } from '../prepared-write.js';
import { runNow } from '../program.js';
import { jobIdUsed, queueFull } from '../refusals.js';
import { refuseEnd } from '../run-ended.js';
import { QUEUE_DEPTH, REQUEUE_JOB } from '../sql/jobs.js';
import { claimedJob, StoredJobs, takeJob } from '../stored-jobs.js';
import { type Append, newRun, openAppend } from './append-events.js';
import { applyWrites } from './apply-writes.js';
import type { ChangeWatch } from './change-watch.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { insertOnce } from './insert-once.js';
import { JOB_WORDS } from './job-words.js';
import { knownStop, rememberClaimed } from './open-run.js';
import { runOpen, sqlitePrograms } from './programs.js';
import { CLAIM_JOBS, CLAIMABLE, FIND_STOPS, HEARTBEAT, INSERT_AND_GET_JOB } from './sql/jobs.js';
import type { SqlParams, SqlRunner } from './sql-runner.js';
import { sweepJobs } from './sweep-jobs.js';

type Made = { readonly row: JobRow; readonly append: Append };

/** The queue of runs in SQLite: the job row is the queue entry, the lease and the record. */
export class SqliteJobStore extends StoredJobs implements JobStore {
  readonly #deps: SqliteDeps;
  /** Runs that are not known and reach a boundary in one turn are looked at in one read. */
  readonly #stopped: (jobId: string) => Promise<boolean>;
  readonly #watch: ChangeWatch;

  constructor(deps: SqliteDeps, watch: ChangeWatch) {
    super({ ...deps, programs: sqlitePrograms(deps), words: JOB_WORDS });
    this.#deps = deps;
    this.#watch = watch;
    this.#stopped = askTogether((jobIds) => findStops(deps, jobIds), process.nextTick);
  }

  insert(
    job: NewJob,
    status: WaitingStatus,
    events: readonly RunEvent[],
    claim?: ClaimRequest,
    limit?: QueueLimit,
  ): Promise<Job> {
    return this.#deps.queue.run(['job.insert'], (sql, memo) => {
      if (limit !== undefined) admit(sql, limit);
      const { row, append } = this.#insert(sql, job, { status, events, claim });
      return decodeJob(rememberClaimed(memo, row, append));
    });
  }

  async insertBegun(job: NewJob, begun: Begun, after: AfterBegun): Promise<Job> {
    const { status, events, steps } = begun;
    const { queue, blobs, clock, ids } = this.#deps;
    const { prepared, blobs: large } = encodeWrites(begunWith(steps));
    await Promise.all(large.map((bytes) => blobs.put(bytes)));
    const claim = after.kind === 'claimed' ? after.claim : undefined;
    const holder = after.kind === 'claimed' ? after.claim : after.writer;
    return queue.run(['job.insert'], (sql, memo) => {
      this.#insert(sql, job, { status, events });
      if (claim !== undefined) assertOffered(job, claim);
      const at = (plusMs?: number): string => this.#now(plusMs);
      const fence = fenceOf(runOpen(sql, takeJob(JOB_WORDS, job.id, { holder, at })));
      const stepEvents = { ids: null };
      applyWrites(sql, memo, { fence, stepEvents, prepared, nowMs: clock.now(), uuid: () => ids.uuid() });
      sql.run(REQUEUE_JOB, { jobId: job.id, crashes: 0 });
      return runOpen(sql, claimedJob(JOB_WORDS, job, { claim, at }));
    });
  }

  insertOnce(
    once: Once,
    job: NewJob,
    status: WaitingStatus,
    events: readonly RunEvent[],
    limit?: QueueLimit,
  ): Promise<{ readonly job: Job; readonly repeated: boolean }> {
    const insert = (sql: SqlRunner): Job => decodeJob(this.#insert(sql, job, { status, events }).row);
    const admits = (sql: SqlRunner): void => (limit === undefined ? undefined : admit(sql, limit));
    return insertOnce(this.#deps, { once, job, insert, admit: admits });
  }

  /**
   * What the writer knows is told in this turn: of a thousand runs that are submitted at once, the
   * first would else stand at its first boundary until the last has come as far.
   */
  isStopRequested(jobId: string): Promise<boolean> {
    const known = this.#knownStop(jobId);
    return known === null ? this.#stopped(jobId) : Promise.resolve(known);
  }

  /** Null also where the file does not say whether others have written: the read waits for it. */
  #knownStop(jobId: string): boolean | null {
    try {
      return knownStop(this.#deps.queue.recall(), jobId);
    } catch {
      return null;
    }
  }

  async claim(asked: ClaimRequest | QueueClaim): Promise<readonly Job[]> {
    const request = 'offersFor' in asked ? { ...asked, offers: await this.#offersFor(asked) } : asked;
    const params = this.#claimParams(request);
    const first = await this.#deps.read((sql) => sql.get(CLAIMABLE, params));
    if (first === undefined) return [];
    return this.#deps.queue.run(['job.claim'], (sql) => {
      return decodeClaimed(sql.all<JobRow>(CLAIM_JOBS, this.#claimParams(request)));
    });
  }

  /** Any commit: the file says that there was one, not which. */
  waitForWork(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return this.#watch.wait(timeoutMs, signal);
  }

  heartbeat(
    fence: Fence,
    leaseMs: number,
    executedMs: number,
  ): Promise<{ readonly lost: boolean; readonly stopRequested: boolean }> {
    return this.#deps.queue.run(['job.heartbeat'], (sql) => {
      const params = { ...fence, leaseUntil: this.#now(leaseMs), executedMs: Math.round(executedMs) };
      const row = sql.get<{ stop_requested_at: string | null }>(HEARTBEAT, params);
      return { lost: row === undefined, stopRequested: row !== undefined && row.stop_requested_at !== null };
    });
  }

  sweep(host: WorkerHost, options?: SweepOptions): Promise<readonly Job[]> {
    return sweepJobs(this.#deps, host, options);
  }

  #now(plusMs = 0): string {
    return isoAt(this.#deps.clock.now() + plusMs);
  }

  async #offersFor({ offersFor }: QueueClaim): Promise<JobOffers> {
    // A command that claims its own run never asks.
    const { readNeeds } = await import('./waiting-needs.js');
    return offersFor(await this.#deps.read((sql) => runNow(sql, readNeeds())));
  }

  #claimParams(request: ClaimRequest): SqlParams {
    const { jobClass, engine, limit, jobId } = request;
    const offers = JSON.stringify(request.offers);
    return { jobClass, engine, offers, limit, jobId: jobId ?? null, ...this.#leaseOf(request) };
  }

  #leaseOf(request: ClaimRequest) {
    return leaseOf(request, (plusMs) => this.#now(plusMs));
  }

  #insert(sql: SqlRunner, job: NewJob, { status, events, claim }: Inserted): Made {
    refuseEnd(events);
    if (claim !== undefined) assertOffered(job, claim);
    const lease = claim === undefined ? null : this.#leaseOf(claim);
    const row = sql.get<JobRow>(INSERT_AND_GET_JOB, { ...newRowParams(job, status, lease), now: this.#now() });
    if (row === undefined) throw jobIdUsed(job.id);
    const append = openAppend(sql, ownerOf(row), newRun());
    append(events);
    return { row, append };
  }
}

/** What the writer does not know, or what others may have changed since. */
async function findStops(deps: SqliteDeps, jobIds: readonly string[]): Promise<(jobId: string) => boolean> {
  const rows = await deps.read((sql) => sql.all<{ id: string }>(FIND_STOPS, { jobIds }));
  const stopped = new Set(rows.map(({ id }) => id));
  return (jobId) => stopped.has(jobId);
}

/** The write lock is held: nobody else adds to the runs that wait. Throws KIT_QUEUE_FULL. */
function admit(sql: SqlRunner, limit: QueueLimit): void {
  const depth = sql.get<{ depth: number }>(QUEUE_DEPTH, { ...limit })?.depth ?? 0;
  if (depth >= limit.maxQueued) throw queueFull(limit);
}
