import type { RunEvent } from '../../domain/events.js';
import type { Fence, Job, WaitingStatus } from '../../domain/job.js';
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
import { begunWith, encodeWrites, fenceOf } from '../prepared-write.js';
import { type Programs, runLater } from '../program.js';
import { REQUEUE_JOB } from '../sql/jobs.js';
import { claimedJob, StoredJobs, takeJob } from '../stored-jobs.js';
import { Admission } from './admission.js';
import { applyWrites } from './apply-writes.js';
import type { ChangeWatch } from './change-watch.js';
import { ClaimQueue } from './claim-queue.js';
import type { PostgresDeps } from './deps.js';
import { insertJob } from './insert-job.js';
import { insertOnce } from './insert-once.js';
import { JOB_WORDS } from './job-words.js';
import { postgresPrograms } from './programs.js';
import { FIND_STOPS } from './sql/jobs.js';
import { sweepJobs } from './sweep-jobs.js';
import type { Transaction } from './transaction.js';

/**
 * The queue of runs in PostgreSQL: the job row is the queue entry, the lease and the record; the
 * database's clock is the only one.
 */
export class PostgresJobStore extends StoredJobs implements JobStore {
  readonly #deps: PostgresDeps;
  readonly #programs: Programs;
  readonly #queue: ClaimQueue;
  readonly #admission = new Admission();
  /** Runs that reach a boundary in one turn are asked about together. */
  readonly #stopped: (jobId: string) => Promise<boolean>;
  readonly #watch: ChangeWatch;

  /** `watch`: of commits that may make jobs claimable. */
  constructor(deps: PostgresDeps, watch: ChangeWatch) {
    const programs = postgresPrograms(deps);
    super({ ...deps, programs, words: JOB_WORDS });
    this.#deps = deps;
    this.#programs = programs;
    this.#watch = watch;
    this.#queue = new ClaimQueue(deps, watch);
    this.#stopped = askTogether((jobIds) => findStops(deps, jobIds), setImmediate);
  }

  async insert(
    job: NewJob,
    status: WaitingStatus,
    events: readonly RunEvent[],
    claim?: ClaimRequest,
    limit?: QueueLimit,
  ): Promise<Job> {
    const work = async (tx: Transaction): Promise<() => Job> => {
      if (limit !== undefined) await this.#admission.admit(tx, limit);
      return insertJob(tx, job, { status, events, claim });
    };
    const [admits, presumes, leavesMark] = [limit !== undefined, claim === undefined, events.length > 0];
    return (await this.#deps.queue.run({ writes: ['job.insert'], jobs: [], admits, presumes, leavesMark, work }))();
  }

  async insertBegun(job: NewJob, begun: Begun, after: AfterBegun): Promise<Job> {
    const { status, events, steps } = begun;
    const { queue, blobs, ids } = this.#deps;
    const { prepared, blobs: large } = encodeWrites(begunWith(steps));
    await Promise.all(large.map((bytes) => blobs.put(bytes)));
    const claim = after.kind === 'claimed' ? after.claim : undefined;
    const holder = after.kind === 'claimed' ? after.claim : after.writer;
    const work = async (tx: Transaction): Promise<Job> => {
      await insertJob(tx, job, { status, events });
      if (claim !== undefined) assertOffered(job, claim);
      const at = (plusMs = 0): string => tx.nowPlus(plusMs);
      const first = await runLater(tx, takeJob(JOB_WORDS, job.id, { holder, at }));
      await applyWrites(tx, { fence: fenceOf(first), prepared, uuid: () => ids.uuid() });
      await tx.setJobs(REQUEUE_JOB, { jobId: job.id, crashes: 0 });
      return runLater(tx, claimedJob(JOB_WORDS, job, { claim, at }));
    };
    return queue.run({ writes: ['job.insert'], jobs: [], work });
  }

  insertOnce(
    once: Once,
    job: NewJob,
    status: WaitingStatus,
    events: readonly RunEvent[],
    limit?: QueueLimit,
  ): Promise<{ readonly job: Job; readonly repeated: boolean }> {
    const insert = (tx: Transaction): Promise<() => Job> => insertJob(tx, job, { status, events });
    const admit = limit === undefined ? null : (tx: Transaction) => this.#admission.admit(tx, limit);
    return insertOnce(this.#deps, { once, job, insert, admit });
  }

  isStopRequested(jobId: string): Promise<boolean> {
    return this.#stopped(jobId);
  }

  claim(request: ClaimRequest | QueueClaim): Promise<readonly Job[]> {
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
      const row = await tx.beat(fence, { leaseMs: Math.round(leaseMs), executedMs: Math.round(executedMs) });
      return { lost: row === undefined, stopRequested: row !== undefined && row.stop_requested_at !== null };
    };
    return this.#deps.queue.run({ writes: ['job.heartbeat'], jobs: [fence.jobId], presumes: true, work });
  }

  /**
   * By the store's clock alone: machines share this store, and a process of another one cannot be
   * looked at (docs/design/journal.md#same-host).
   */
  sweep(_host: WorkerHost, options?: SweepOptions): Promise<readonly Job[]> {
    return sweepJobs(this.#deps, this.#programs, options);
  }
}

async function findStops(deps: PostgresDeps, jobIds: readonly string[]): Promise<(jobId: string) => boolean> {
  const found = await deps.read((sql) => sql.all<{ id: string }>(FIND_STOPS, { jobIds }));
  const ids = new Set(found.map(({ id }) => id));
  return (jobId) => ids.has(jobId);
}
