import type { RunEvent } from '../events.js';
import type { Fence, Job, JobStatus, WaitingStatus } from '../job.js';
import type { JobNeeds } from '../job-needs.js';
import type { RunWrite, StepRow } from '../journal.js';
import type { ArtifactStore } from './artifacts.js';
import type { AuditCopy } from './audit.js';
import type { AfterBegun, Begun } from './begun.js';
import type { ClaimRequest, QueueClaim, WorkerHost } from './claims.js';
import type { EndedRuns } from './ended-runs.js';
import type { EventLog } from './event-log.js';
import type { KnowledgeStore } from './knowledge.js';
import type { MemoryStore } from './memory.js';
import type { PromptBuffer } from './prompts.js';
import type { RemoteWaitStore } from './remote-waits.js';
import type { RetentionStore } from './retention.js';
import type { ReviewStore } from './reviews.js';
import type { SealedRowStore } from './sealed-rows.js';
import type { ServingStore } from './serving.js';
import type { StoreWriting } from './store-facts.js';

export type { ClaimRequest, QueueClaim, WorkerHost } from './claims.js';

/** Which jobs to list; every field given narrows the list, newest first, at most `limit`. */
export interface JobFilter {
  readonly idPrefix?: string;
  readonly correlationId?: string;
  /** `name`, which means every version, or `name@version`. */
  readonly topology?: string;
  readonly source?: string;
  readonly status?: readonly JobStatus[];
  readonly limit: number;
  /** Jobs created before this one. */
  readonly beforeId?: string;
}

/** New row: the store sets attempt, crashes and the timestamps by its own clock. */
export type NewJob = Pick<
  Job,
  | 'id'
  | 'topology'
  | 'version'
  | 'input'
  | 'correlationId'
  | 'labels'
  | 'parentJobId'
  | 'callerJobId'
  | 'source'
  | 'submittedBy'
  | 'jobClass'
  | 'priority'
  | 'engine'
  | 'needs'
  | 'snapshot'
  | 'recover'
  | 'timeoutMs'
  | 'attachments'
  | 'traceParent'
> & {
  /** Who stands behind a run that another system asks for; absent: nobody is named. */
  readonly onBehalfOf?: readonly string[];
};

/** Makes a submit repeatable for 24 h by the store's clock; `isKept`: as long as its job stands. */
export interface Once {
  /** Whose key it is, `<workspace>/<client>`: keys of two clients never meet. */
  readonly clientId: string;
  readonly key: string;
  /** SHA-256 of what is asked: topology and body. */
  readonly digest: string;
  readonly isKept?: boolean;
}

/**
 * A bound on the runs that wait to be claimed (`pending` and `queued`), exact over every process of
 * the store: of submits at the same time as many are taken as there is room for. Runs that are
 * resumed, woken or given back are never refused; they count, within a second.
 */
export interface QueueLimit {
  /** >= 1. */
  readonly maxQueued: number;
}

/** `recoverAll`: crashed `manual` jobs become claimable too (`server.jobs.recover: all`). */
export interface SweepOptions {
  /** Default false. */
  readonly recoverAll?: boolean;
}

/** The rows of the runs: their states, claims and leases. Every write after a claim is fenced. */
export interface JobStore extends EndedRuns {
  /**
   * Inserts the row and its first events in one transaction (outbox of
   * docs/design/journal.md#entry-events). With `claim`, the row is born claimed and `running` (`kit
   * run`). Throws KIT_JOB_ID_USED when the id exists, KIT_JOB_NOT_RESUMABLE when the claimer cannot
   * offer what the job needs, KIT_QUEUE_FULL where `limit` leaves no room; nothing is written then.
   */
  insert(
    job: NewJob,
    status: WaitingStatus,
    events: readonly RunEvent[],
    claim?: ClaimRequest,
    limit?: QueueLimit,
  ): Promise<Job>;
  /**
   * Inserts a run that begins with a journal (a fork, a retry), whole or not at all. It is claimed
   * and `running`, which counts as the second claim, so that its journal is read; or it waits.
   * Throws what `insert` throws; nothing is written then.
   */
  insertBegun(job: NewJob, begun: Begun, after: AfterBegun): Promise<Job>;
  /**
   * The same as `insert`, once per key: a second call with the same digest writes nothing and
   * answers the first job, also when the queue is full. Throws KIT_IDEMPOTENCY_CONFLICT for another
   * digest.
   */
  insertOnce(
    once: Once,
    job: NewJob,
    status: WaitingStatus,
    events: readonly RunEvent[],
    limit?: QueueLimit,
  ): Promise<{ readonly job: Job; readonly repeated: boolean }>;
  /**
   * The job of a key that was used in the last 24 h; null = none. Throws KIT_IDEMPOTENCY_CONFLICT.
   */
  findOnce(once: Once): Promise<Job | null>;
  get(jobId: string): Promise<Job | null>;
  /**
   * The durable stop flag alone: asked at each boundary of a run. False for a job that is not
   * there.
   */
  isStopRequested(jobId: string): Promise<boolean>;
  list(filter: JobFilter): Promise<readonly Job[]>;
  /**
   * Atomically takes claimable jobs: runnable ones, due `wakeAt`, in order priority desc,
   * created_at asc. Throws what `offersFor` throws.
   */
  claim(request: ClaimRequest | QueueClaim): Promise<readonly Job[]>;
  /**
   * Resolves when jobs may have become claimable by a commit since the last call with this signal
   * (the first call resolves at once), or after `timeoutMs`, or when aborted. The signal stands for
   * the claimer. Time makes jobs claimable too (`wakeAt`): look now and then.
   */
  waitForWork(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /**
   * Extends the lease and adds execution time; answers what the worker must know.
   * `lost` when the fence no longer holds.
   */
  heartbeat(
    fence: Fence,
    leaseMs: number,
    executedMs: number,
  ): Promise<{ readonly lost: boolean; readonly stopRequested: boolean }>;
  /**
   * Gives a job back unfinished (drain, an outage of the store): status `pending`/`queued` again,
   * counts nothing. One with a stop request becomes `stopped` instead, with its event. With
   * `why` its worker could not go on with it, and would not the next time: that counts as a crash,
   * and the third without a finished step ends it as `failed`, `crash_loop`
   * (docs/design/journal.md#crashes). Throws KIT_LEASE_LOST.
   */
  release(fence: Fence, why?: string): Promise<void>;
  /**
   * Makes a deferred or stopped job runnable, clears its stop request and writes `event`
   * (`run.resumed`) in the same transaction; one that waits for other runs was not parked, and is
   * made runnable without an event. With `claim` the job is `running` under that worker at once.
   * Throws KIT_JOB_UNKNOWN, and KIT_JOB_NOT_RESUMABLE for another status, or when the claimer
   * cannot offer what the job needs (nothing is written then). `needs`: what the job needs from now
   * on, because its sessions begin anew; then one that waits for a claim is resumed as well.
   */
  resume(jobId: string, event: RunEvent, claim?: ClaimRequest, needs?: JobNeeds): Promise<Job>;
  /**
   * Durable stop request, once, with its event; a job that nobody runs becomes `stopped` in the
   * same transaction and gets its event. Asking twice reports the first request; a finished
   * or stopped job is left alone. Throws KIT_JOB_UNKNOWN.
   */
  requestStop(
    jobId: string,
    by: string,
    event: RunEvent,
  ): Promise<{ readonly job: Job; readonly alreadyRequested: boolean }>;
  /**
   * Jobs whose lease is over become claimable again (`auto`), `stopped` (`manual`: nobody may
   * revive them, or a stop was requested) or `failed` (third crash). SQLite on one host: a dead
   * process is found by pid and start time at once, a living one never by time alone
   * (docs/design/journal.md#same-host).
   */
  sweep(host: WorkerHost, options?: SweepOptions): Promise<readonly Job[]>;
}

/** Which results may go, in one call. */
export interface PruneRequest {
  /** ISO 8601; jobs that ended then or earlier lose their results. */
  readonly endedBefore: string;
  /** At most this many jobs. */
  readonly limit: number;
}

/** What a call of `prune` did. */
export interface PruneReport {
  /** Jobs that were pruned by this call. */
  readonly jobs: number;
  /** More jobs are due: call again. */
  readonly more: boolean;
}

/** The journal and, in the same commit, the log (same database). */
export interface RunStore {
  /** All rows of a run, in the order they were started. */
  load(jobId: string): Promise<readonly StepRow[]>;
  /** Rows with usage, without their result, and sessions of harnesses, with it. */
  produced(jobId: string): Promise<readonly StepRow[]>;
  /**
   * Commits batches under the fence, all or none; resolves after the commit, which those of several
   * runs share. Throws KIT_LEASE_LOST when the fence no longer holds, KIT_STORE_BUSY. Calls of one
   * run are committed in order, and after a failed one those already handed in fail too: the
   * journal has no holes. `run.ended` is the one write with an event that tells an end, and it has
   * exactly one. `run.parked` of a job whose stop was requested ends it as `stopped` (nobody is
   * left to see the request); while something that it waits for is already settled, nothing of it
   * is written and the job stays `running` under its lease, which the worker sees on the row. With
   * `wakeAfterMs` the job stays `running` without a worker. The end or the park of a run that
   * another one asked for (source `agent`) makes that one claimable in the same transaction; one
   * that is deferred is woken by the end alone. A run that ends `completed` or `failed` withdraws
   * its pending gates and items; a stopped one keeps them.
   */
  commit(fence: Fence, ...batches: readonly (readonly RunWrite[])[]): Promise<void>;
  /**
   * Removes the results of completed and failed jobs that ended long enough ago, the earliest first
   * (docs/design/journal.md#retention). The results of activations, and of every step its key,
   * identity, usage and events, stay; see `StepRow.prunedAt`. Stopped and deferred jobs can go on
   * and are left alone. Writes in slices of at most 50 ms. Bytes in the blob store that only such
   * results named go later, once nothing has asked for them for a day.
   */
  prune(request: PruneRequest): Promise<PruneReport>;
}

/**
 * Content-addressed bytes: attachments, snapshots, results above 64 KiB. Written before the row
 * that names them.
 */
export interface BlobStore {
  /** Stores once by digest; returns the SHA-256 in hex. */
  put(bytes: Uint8Array): Promise<string>;
  get(sha256: string): Promise<Uint8Array | null>;
}

/** Everything that outlives the process, behind one handle. */
export interface Stores {
  readonly jobs: JobStore;
  readonly runs: RunStore;
  readonly events: EventLog;
  /** The copy of the log in a database of its own; absent: it lies with the runs alone. */
  readonly audit?: AuditCopy;
  readonly blobs: BlobStore;
  /** SQLite belongs to the processes of one machine; PostgreSQL to workers anywhere. */
  readonly backend: 'sqlite' | 'postgres';
  readonly artifacts: ArtifactStore;
  readonly reviews: ReviewStore;
  readonly remoteWaits: RemoteWaitStore;
  readonly serving: ServingStore;
  readonly memory: MemoryStore;
  readonly knowledge: KnowledgeStore;
  readonly prompts: PromptBuffer;
  /** Tokens of logins: their key is elsewhere. */
  readonly sealed: SealedRowStore;
  /** The only way out of the log (`storage.audit.retention_days`). */
  readonly retention: RetentionStore;
  readonly writing: StoreWriting;
  /** Where the state lies, for messages; no secret. */
  readonly location: string;
  close(): Promise<void>;
}
