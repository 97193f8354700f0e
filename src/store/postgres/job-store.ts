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
import { decodeJob, type JobRow } from '../job-row.js';
import { begunWith, encodeWrites, fenceOf } from '../prepared-write.js';
import { stoppedOnRequest } from '../recovery.js';
import { jobNotResumable, jobUnknown, leaseLost } from '../refusals.js';
import { refuseEnd } from '../run-ended.js';
import { Admission } from './admission.js';
import { applyWrites } from './apply-writes.js';
import type { ChangeWatch } from './change-watch.js';
import { ClaimQueue, takeParams } from './claim-queue.js';
import type { PostgresDeps } from './deps.js';
import { type AbandonedJob, endAbandoned } from './end-abandoned.js';
import { insertJob } from './insert-job.js';
import { findOnce, insertOnce } from './insert-once.js';
import { keepFigures } from './keep-figures.js';
import { listJobs } from './list-jobs.js';
import {
  CLAIM_ONE,
  FIND_STOPS,
  GET_DIFFS,
  GET_JOB,
  GET_JOB_LOCKED,
  REQUEST_STOP,
  REQUEUE_JOB,
  RESUME_JOB,
  SET_NEEDS,
} from './sql/jobs.js';
import { giveUp, sweepJobs } from './sweep-jobs.js';
import type { Transaction } from './transaction.js';

/**
 * The queue of runs in PostgreSQL: the job row is the queue entry, the lease and the record; the
 * database's clock is the only one.
 */
export class PostgresJobStore implements JobStore {
  readonly #deps: PostgresDeps;
  readonly #queue: ClaimQueue;
  readonly #admission = new Admission();
  /** Runs that reach a boundary in one turn are asked about together. */
  readonly #stopped: (jobId: string) => Promise<boolean>;
  readonly #watch: ChangeWatch;

  /** `watch`: of commits that may make jobs claimable. */
  constructor(deps: PostgresDeps, watch: ChangeWatch) {
    this.#deps = deps;
    this.#watch = watch;
    this.#queue = new ClaimQueue(deps);
    this.#stopped = askTogether((jobIds) => findStops(deps, jobIds), setImmediate);
  }

  async insert(
    job: NewJob,
    status: 'pending' | 'queued',
    events: readonly RunEvent[],
    claim?: ClaimRequest,
    limit?: QueueLimit,
  ): Promise<Job> {
    const work = async (tx: Transaction): Promise<() => Job> => {
      if (limit !== undefined) await this.#admission.admit(tx, limit);
      return insertJob(tx, job, { status, events, claim });
    };
    const { queue } = this.#deps;
    return (await queue.run({ writes: ['job.insert'], jobs: [], admits: limit !== undefined, work }))();
  }

  async insertBegun(job: NewJob, begun: Begun, claim: ClaimRequest, { isClaimed } = { isClaimed: true }): Promise<Job> {
    const { status, events, steps } = begun;
    const { queue, blobs, ids } = this.#deps;
    const { prepared, blobs: large } = encodeWrites(begunWith(steps));
    await Promise.all(large.map((bytes) => blobs.put(bytes)));
    const work = async (tx: Transaction): Promise<Job> => {
      await insertJob(tx, job, { status, events });
      if (isClaimed) assertOffered(job, claim);
      const first = await claimedAs(tx, job.id, claim);
      await applyWrites(tx, { fence: fenceOf(first), prepared, uuid: () => ids.uuid() });
      await tx.run(REQUEUE_JOB, { jobId: job.id, crashes: 0 });
      return claimed(tx, await requireJob(tx, job.id), isClaimed ? claim : undefined);
    };
    return queue.run({ writes: ['job.insert'], jobs: [], work });
  }

  insertOnce(
    once: Once,
    job: NewJob,
    status: 'pending' | 'queued',
    events: readonly RunEvent[],
    limit?: QueueLimit,
  ): Promise<{ readonly job: Job; readonly repeated: boolean }> {
    const insert = (tx: Transaction): Promise<() => Job> => insertJob(tx, job, { status, events });
    const admit = limit === undefined ? null : (tx: Transaction) => this.#admission.admit(tx, limit);
    return insertOnce(this.#deps, { once, job, insert, admit });
  }

  findOnce: JobStore['findOnce'] = (once) => findOnce(this.#deps, once);

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

  claim(request: ClaimRequest): Promise<readonly Job[]> {
    return this.#queue.claim(request);
  }

  waitForWork(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return this.#watch.wait(timeoutMs, signal);
  }

  heartbeat(
    fence: Fence,
    leaseMs: number,
    executedMs: number,
  ): Promise<{ readonly lost: boolean; readonly stopRequested: boolean }> {
    const work = async (tx: Transaction) => {
      const row = await tx.beat(fence, { leaseUntil: tx.nowPlus(leaseMs), executedMs: Math.round(executedMs) });
      return { lost: row === undefined, stopRequested: row !== undefined && row.stop_requested_at !== null };
    };
    return this.#deps.queue.run({ writes: ['job.heartbeat'], jobs: [fence.jobId], work });
  }

  release(fence: Fence, why?: string): Promise<void> {
    const work = async (tx: Transaction): Promise<void> => {
      if ((await tx.fenced(fence)) === undefined) throw leaseLost(fence);
      const row = await requireJob(tx, fence.jobId);
      if (row.stop_requested_at !== null) await this.#stopNow(tx, row);
      else if (why === undefined) await tx.run(REQUEUE_JOB, { jobId: row.id, crashes: row.crashes });
      else await giveUp(tx, row, { why, eventId: this.#deps.ids.uuid() });
    };
    return this.#deps.queue.run({ writes: ['job.release'], jobs: [fence.jobId], work });
  }

  resume(jobId: string, event: RunEvent, claim?: ClaimRequest, needs?: Job['needs']): Promise<Job> {
    const work = async (tx: Transaction): Promise<Job> => {
      refuseEnd([event]);
      const row = await requireJob(tx, jobId);
      const isTaken = needs !== undefined && isClaimable(row);
      if ((await tx.run(RESUME_JOB, { jobId })) === 0 && !isTaken) throw jobNotResumable(jobId, row.status);
      if (needs !== undefined) await tx.run(SET_NEEDS, { jobId, needs: JSON.stringify(needs) });
      if (wasParked(row)) await tx.append(ownerOf(row), [event]);
      return claimed(tx, await requireJob(tx, jobId), claim);
    };
    return this.#deps.queue.run({ writes: ['job.resume'], jobs: [jobId], work });
  }

  requestStop(
    jobId: string,
    by: string,
    event: RunEvent,
  ): Promise<{ readonly job: Job; readonly alreadyRequested: boolean }> {
    const work = async (tx: Transaction) => {
      refuseEnd([event]);
      const before = await requireJob(tx, jobId);
      const alreadyRequested = before.stop_requested_at !== null;
      const isOver = before.status === 'completed' || before.status === 'failed' || before.status === 'stopped';
      if (isOver || alreadyRequested) return { job: decodeJob(before), alreadyRequested };
      await tx.run(REQUEST_STOP, { jobId, by, now: tx.now });
      await tx.append(ownerOf(before), [event]);
      if (before.worker_id === null) await this.#stopNow(tx, { ...before, stop_requested_by: by });
      return { job: decodeJob(await requireJob(tx, jobId)), alreadyRequested };
    };
    return this.#deps.queue.run({ writes: ['job.stop'], jobs: [jobId], work });
  }

  /**
   * By the store's clock alone: machines share this store, and a process of another one cannot be
   * looked at (docs/design/journal.md#same-host).
   */
  sweep(_host: WorkerHost, options?: SweepOptions): Promise<readonly Job[]> {
    return sweepJobs(this.#deps, options);
  }

  async diffs(jobId: string): Promise<Readonly<Record<string, string>> | null> {
    const row = await this.#deps.read((sql) => sql.get<{ diffs_sha256: string | null }>(GET_DIFFS, { jobId }));
    if (row === undefined || row.diffs_sha256 === null) return null;
    const bytes = await this.#deps.blobs.get(row.diffs_sha256);
    // Written by `run.ended` from a value of this type.
    return bytes === null ? null : (JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string>);
  }
  keepFigures: JobStore['keepFigures'] = (...of) => keepFigures(this.#deps, ...of);

  async #stopNow(tx: Transaction, row: JobRow): Promise<void> {
    await endAbandoned(tx, abandoned(row), {
      end: stoppedOnRequest(row.stop_requested_by),
      eventId: this.#deps.ids.uuid(),
    });
  }
}

/** The row as it now is, under the caller's lease when one is asked for. */
async function claimed(tx: Transaction, row: JobRow, claim: ClaimRequest | undefined): Promise<Job> {
  const job = decodeJob(row);
  if (claim !== undefined) assertOffered(job, claim);
  return claim === undefined ? job : claimedAs(tx, job.id, claim);
}

async function claimedAs(tx: Transaction, jobId: string, claim: ClaimRequest): Promise<Job> {
  await tx.run(CLAIM_ONE, { ...takeParams(tx, claim), jobId });
  return decodeJob(await requireJob(tx, jobId));
}

/** Locked: what is decided on it holds until the commit. */
async function requireJob(tx: Transaction, jobId: string): Promise<JobRow> {
  const row = await tx.get<JobRow>(GET_JOB_LOCKED, { jobId });
  if (row === undefined) throw jobUnknown(jobId);
  return row;
}

const ownerOf = (row: JobRow) => ({ jobId: row.id, labels: row.labels, correlationId: row.correlation_id });
const abandoned = (row: JobRow): AbandonedJob => ({ ...row, status: decodeJob(row).status });

async function findStops(deps: PostgresDeps, jobIds: readonly string[]): Promise<(jobId: string) => boolean> {
  const found = await deps.read((sql) => sql.all<{ id: string }>(FIND_STOPS, { jobIds }));
  const ids = new Set(found.map(({ id }) => id));
  return (jobId) => ids.has(jobId);
}
