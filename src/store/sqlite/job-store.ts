import type { RunEvent } from '../../domain/events.js';
import type { Fence, Job } from '../../domain/job.js';
import type { Begun } from '../../domain/ports/begun.js';
import type {
  ClaimRequest,
  JobFilter,
  JobStore,
  NewJob,
  Once,
  QueueLimit,
  SweepOptions,
  WorkerHost,
} from '../../domain/ports/stores.js';
import { askTogether } from '../../lib/ask-together.js';
import { assertOffered } from '../assert-offered.js';
import { isClaimable, wasParked } from '../family.js';
import { decodeJob, encodeHost, type FirstLease, type Inserted, type JobRow, newRowParams } from '../job-row.js';
import { begunWith, encodeWrites, fenceOf } from '../prepared-write.js';
import { stoppedOnRequest } from '../recovery.js';
import { jobIdUsed, jobNotResumable, jobUnknown, leaseLost, queueFull } from '../refusals.js';
import { refuseEnd } from '../run-ended.js';
import { type Append, appendEvents, openAppend } from './append-events.js';
import { applyWrites } from './apply-writes.js';
import type { ChangeWatch } from './change-watch.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { type AbandonedJob, endAbandoned } from './end-abandoned.js';
import { findOnce, insertOnce } from './insert-once.js';
import { keepFigures } from './keep-figures.js';
import { listJobs } from './list-jobs.js';
import { knownStop, rememberClaimed } from './open-run.js';
import {
  CHECK_FENCE,
  CLAIM_JOBS,
  CLAIM_ONE,
  CLAIMABLE,
  FIND_STOPS,
  GET_DIFFS,
  GET_JOB,
  HEARTBEAT,
  INSERT_AND_GET_JOB,
  QUEUE_DEPTH,
  REQUEST_STOP,
  REQUEUE_JOB,
  RESUME_JOB,
  SET_NEEDS,
} from './sql/jobs.js';
import type { SqlParams, SqlRunner } from './sql-runner.js';
import { giveUp, sweepJobs } from './sweep-jobs.js';

const CLAIMED = { isClaimed: true };
type Made = { readonly row: JobRow; readonly append: Append };

/** The queue of runs in SQLite: the job row is the queue entry, the lease and the record. */
export class SqliteJobStore implements JobStore {
  readonly #deps: SqliteDeps;
  /** A hundred runs that reach a boundary in one turn look at their rows in one read. */
  readonly #stopped: (jobId: string) => Promise<boolean>;
  readonly #watch: ChangeWatch;

  constructor(deps: SqliteDeps, watch: ChangeWatch) {
    this.#deps = deps;
    this.#watch = watch;
    this.#stopped = askTogether((jobIds) => findStops(deps, jobIds), process.nextTick);
  }

  insert(
    job: NewJob,
    status: 'pending' | 'queued',
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

  async insertBegun(job: NewJob, begun: Begun, claim: ClaimRequest, { isClaimed } = CLAIMED): Promise<Job> {
    const { status, events, steps } = begun;
    const { queue, blobs, clock, ids } = this.#deps;
    const { prepared, blobs: large } = encodeWrites(begunWith(steps));
    await Promise.all(large.map((bytes) => blobs.put(bytes)));
    return queue.run(['job.insert'], (sql, memo) => {
      this.#insert(sql, job, { status, events });
      if (isClaimed) assertOffered(job, claim);
      sql.run(CLAIM_ONE, { ...this.#claimParams(claim), jobId: job.id });
      const fence = fenceOf(decodeJob(requireJob(sql, job.id)));
      const stepEvents = { ids: null };
      applyWrites(sql, memo, { fence, stepEvents, prepared, nowMs: clock.now(), uuid: () => ids.uuid() });
      sql.run(REQUEUE_JOB, { jobId: job.id, crashes: 0 });
      return decodeJob(this.#claimed(sql, job, isClaimed ? claim : undefined));
    });
  }

  insertOnce(
    once: Once,
    job: NewJob,
    status: 'pending' | 'queued',
    events: readonly RunEvent[],
    limit?: QueueLimit,
  ): Promise<{ readonly job: Job; readonly repeated: boolean }> {
    const insert = (sql: SqlRunner): Job => decodeJob(this.#insert(sql, job, { status, events }).row);
    const admits = (sql: SqlRunner): void => (limit === undefined ? undefined : admit(sql, limit));
    return insertOnce(this.#deps, { once, job, insert, admit: admits });
  }

  findOnce(once: Once): Promise<Job | null> {
    return findOnce(this.#deps, once);
  }

  async get(jobId: string): Promise<Job | null> {
    const row = await this.#deps.read((sql) => sql.get<JobRow>(GET_JOB, { jobId }));
    return row === undefined ? null : decodeJob(row);
  }

  isStopRequested(jobId: string): Promise<boolean> {
    return this.#stopped(jobId);
  }

  list(filter: JobFilter): Promise<readonly Job[]> {
    return this.#deps.read((sql) => listJobs(sql, filter));
  }

  async claim(request: ClaimRequest): Promise<readonly Job[]> {
    const params = this.#claimParams(request);
    const first = await this.#deps.read((sql) => sql.get(CLAIMABLE, params));
    if (first === undefined) return [];
    return this.#deps.queue.run(['job.claim'], (sql) => {
      const rows = sql.all<JobRow>(CLAIM_JOBS, this.#claimParams(request));
      // RETURNING has no order of its own.
      return rows
        .toSorted((a, b) => b.priority - a.priority || compare(a.created_at, b.created_at) || a.ord - b.ord)
        .map(decodeJob);
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

  release(fence: Fence, why?: string): Promise<void> {
    return this.#deps.queue.run(['job.release'], (sql) => {
      if (sql.get(CHECK_FENCE, { ...fence }) === undefined) throw leaseLost(fence);
      const row = requireJob(sql, fence.jobId);
      if (row.stop_requested_at !== null) this.#stopNow(sql, row);
      else if (why === undefined) sql.run(REQUEUE_JOB, { jobId: row.id, crashes: row.crashes });
      else giveUp(sql, row, { why, eventId: this.#deps.ids.uuid(), now: this.#now() });
    });
  }

  resume(jobId: string, event: RunEvent, claim?: ClaimRequest, needs?: Job['needs']): Promise<Job> {
    return this.#deps.queue.run(['job.resume'], (sql) => {
      refuseEnd([event]);
      const row = requireJob(sql, jobId);
      const isTaken = needs !== undefined && isClaimable(row);
      if (sql.run(RESUME_JOB, { jobId }) === 0 && !isTaken) throw jobNotResumable(jobId, row.status);
      if (needs !== undefined) sql.run(SET_NEEDS, { jobId, needs: JSON.stringify(needs) });
      if (wasParked(row)) appendEvents(sql, ownerOf(row), [event]);
      return decodeJob(this.#claimed(sql, { id: jobId, needs: needs ?? decodeJob(row).needs }, claim));
    });
  }

  requestStop(
    jobId: string,
    by: string,
    event: RunEvent,
  ): Promise<{ readonly job: Job; readonly alreadyRequested: boolean }> {
    return this.#deps.queue.run(['job.stop'], (sql) => {
      refuseEnd([event]);
      const before = requireJob(sql, jobId);
      const alreadyRequested = before.stop_requested_at !== null;
      const isOver = before.status === 'completed' || before.status === 'failed' || before.status === 'stopped';
      if (isOver || alreadyRequested) return { job: decodeJob(before), alreadyRequested };
      sql.run(REQUEST_STOP, { jobId, by, now: this.#now() });
      appendEvents(sql, ownerOf(before), [event]);
      if (before.worker_id === null) this.#stopNow(sql, { ...before, stop_requested_by: by });
      return { job: decodeJob(requireJob(sql, jobId)), alreadyRequested };
    });
  }

  sweep(host: WorkerHost, options?: SweepOptions): Promise<readonly Job[]> {
    return sweepJobs(this.#deps, host, options);
  }

  async diffs(jobId: string): Promise<Readonly<Record<string, string>> | null> {
    const row = await this.#deps.read((sql) => sql.get<{ diffs_sha256: string | null }>(GET_DIFFS, { jobId }));
    if (row === undefined || row.diffs_sha256 === null) return null;
    const bytes = await this.#deps.blobs.get(row.diffs_sha256);
    // Written by `run.ended` from a value of this type.
    return bytes === null ? null : (JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string>);
  }
  keepFigures: JobStore['keepFigures'] = (...of) => keepFigures(this.#deps, ...of);

  #now(plusMs = 0): string {
    return isoAt(this.#deps.clock.now() + plusMs);
  }

  #claimParams(request: ClaimRequest): SqlParams {
    const { jobClass, engine, limit, jobId } = request;
    const offers = JSON.stringify(request.offers);
    return { jobClass, engine, offers, limit, jobId: jobId ?? null, ...this.#leaseOf(request) };
  }

  #leaseOf({ workerId, leaseMs, host }: ClaimRequest): FirstLease {
    return { workerId, leaseUntil: this.#now(leaseMs), holder: encodeHost(host), now: this.#now() };
  }

  #insert(sql: SqlRunner, job: NewJob, { status, events, claim }: Inserted): Made {
    refuseEnd(events);
    if (claim !== undefined) assertOffered(job, claim);
    const lease = claim === undefined ? null : this.#leaseOf(claim);
    const row = sql.get<JobRow>(INSERT_AND_GET_JOB, { ...newRowParams(job, status, lease), now: this.#now() });
    if (row === undefined) throw jobIdUsed(job.id);
    const append = openAppend(sql, ownerOf(row), { ids: new Set() });
    append(events);
    return { row, append };
  }

  /** The row as it now is, under the caller's lease when one is asked for. */
  #claimed(sql: SqlRunner, { id, needs }: Pick<Job, 'id' | 'needs'>, claim: ClaimRequest | undefined): JobRow {
    if (claim !== undefined) {
      assertOffered({ id, needs }, claim);
      sql.run(CLAIM_ONE, { ...this.#claimParams(claim), jobId: id });
    }
    return requireJob(sql, id);
  }

  #stopNow(sql: SqlRunner, row: JobRow): void {
    endAbandoned(sql, abandoned(row), {
      end: stoppedOnRequest(row.stop_requested_by),
      eventId: this.#deps.ids.uuid(),
      now: this.#now(),
    });
  }
}

/**
 * The writer knows the flag of most runs: only what it has not seen, or what others may have
 * changed since, is read.
 */
async function findStops(deps: SqliteDeps, jobIds: readonly string[]): Promise<(jobId: string) => boolean> {
  return deps.read((sql) => {
    const memo = deps.queue.recall();
    const unknown = jobIds.filter((jobId) => knownStop(memo, jobId) === null);
    const rows = unknown.length === 0 ? [] : sql.all<{ id: string }>(FIND_STOPS, { jobIds: JSON.stringify(unknown) });
    const stopped = new Set([
      ...jobIds.filter((jobId) => knownStop(memo, jobId) === true),
      ...rows.map(({ id }) => id),
    ]);
    return (jobId) => stopped.has(jobId);
  });
}

/** The write lock is held: nobody else adds to the runs that wait. Throws KIT_QUEUE_FULL. */
function admit(sql: SqlRunner, limit: QueueLimit): void {
  const depth = sql.get<{ depth: number }>(QUEUE_DEPTH, { ...limit })?.depth ?? 0;
  if (depth >= limit.maxQueued) throw queueFull(limit);
}

function requireJob(sql: SqlRunner, jobId: string): JobRow {
  const row = sql.get<JobRow>(GET_JOB, { jobId });
  if (row === undefined) throw jobUnknown(jobId);
  return row;
}

const ownerOf = (row: JobRow) => ({
  run: row.ord,
  jobId: row.id,
  labels: row.labels,
  correlationId: row.correlation_id,
});
const abandoned = (row: JobRow): AbandonedJob => ({ ...row, status: decodeJob(row).status });
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
