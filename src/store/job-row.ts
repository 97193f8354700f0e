import type { RunEvent } from '../domain/events.js';
import type { Job, WaitingStatus } from '../domain/job.js';
import type { Lessee } from '../domain/ports/begun.js';
import type { ClaimRequest, NewJob, WorkerHost } from '../domain/ports/stores.js';
import { compare } from '../lib/compare.js';
import { decodeEarlier, encodeBehalf } from './earlier-submitters.js';
import { decodeFigures } from './kept-figures.js';

/** The jobs table as both dialects return it; JSON columns as text. */
export interface JobRow {
  /** Number of the run. */
  readonly ord: number;
  readonly id: string;
  readonly status: string;
  readonly topology: string;
  readonly version: string | null;
  readonly input: string;
  readonly output: string | null;
  readonly reason: string | null;
  readonly error: string | null;
  readonly usage: string | null;
  readonly diff_length: number | null;
  readonly correlation_id: string | null;
  readonly labels: string;
  readonly parent_job_id: string | null;
  readonly caller_job_id: string | null;
  readonly source: string;
  readonly submitted_by: string;
  readonly submitted_assurance: string;
  readonly submitted_name: string | null;
  readonly earlier_submitters: string;
  readonly worker_id: string | null;
  readonly lease_until: string | null;
  readonly holder: string | null;
  readonly attempt: number;
  readonly crashes: number;
  readonly job_class: string;
  readonly priority: number;
  readonly engine: number;
  readonly needs: string;
  readonly snapshot: string;
  readonly recover: string;
  readonly waiting_on: string;
  readonly ungated: string;
  readonly wake_at: string | null;
  readonly stop_requested_at: string | null;
  readonly stop_requested_by: string | null;
  readonly executed_ms: number;
  readonly timeout_ms: number | null;
  readonly attachments: string;
  readonly trace_parent: string | null;
  readonly created_at: string;
  readonly claimed_at: string | null;
  readonly started_at: string | null;
  readonly parked_at: string | null;
  readonly completed_at: string | null;
  readonly figures: string | null;
}

export type SubmitterColumns = Pick<JobRow, 'submitted_by' | 'submitted_assurance' | 'submitted_name'>;

/** The cast restores what the row was inserted with. */
export function decodeSubmitter(row: SubmitterColumns): Job['submittedBy'] {
  const assurance = row.submitted_assurance as Job['submittedBy']['assurance'];
  const named = row.submitted_name === null ? {} : { clientName: row.submitted_name };
  return { identity: row.submitted_by, assurance, ...named };
}

/**
 * The casts restore what `newRowParams` and the table's checks let in: nothing else writes these
 * columns.
 */
export function decodeJob(row: JobRow): Job {
  return {
    id: row.id,
    status: row.status as Job['status'],
    topology: row.topology,
    version: row.version,
    input: row.input,
    output: row.output,
    reason: row.reason,
    error: row.error,
    usage: row.usage === null ? null : (JSON.parse(row.usage) as Job['usage']),
    diffLength: row.diff_length,
    correlationId: row.correlation_id,
    labels: JSON.parse(row.labels) as Job['labels'],
    parentJobId: row.parent_job_id,
    callerJobId: row.caller_job_id,
    source: row.source as Job['source'],
    submittedBy: decodeSubmitter(row),
    earlier: decodeEarlier(row.earlier_submitters),
    workerId: row.worker_id,
    leaseUntil: row.lease_until,
    attempt: row.attempt,
    crashes: row.crashes,
    jobClass: row.job_class as Job['jobClass'],
    priority: row.priority,
    engine: row.engine,
    needs: JSON.parse(row.needs) as Job['needs'],
    snapshot: row.snapshot,
    recover: row.recover as Job['recover'],
    waitingOn: JSON.parse(row.waiting_on) as Job['waitingOn'],
    ungated: JSON.parse(row.ungated) as Job['ungated'],
    wakeAt: row.wake_at,
    stopRequestedAt: row.stop_requested_at,
    stopRequestedBy: row.stop_requested_by,
    executedMs: row.executed_ms,
    timeoutMs: row.timeout_ms,
    createdAt: row.created_at,
    claimedAt: row.claimed_at,
    startedAt: row.started_at,
    parkedAt: row.parked_at,
    completedAt: row.completed_at,
    traceParent: row.trace_parent,
    attachments: JSON.parse(row.attachments) as Job['attachments'],
    ...decodeFigures(row),
  };
}

/** What a claim took, in the order of the queue: RETURNING has none of its own. */
export const decodeClaimed = (rows: readonly JobRow[]): readonly Job[] =>
  rows
    .toSorted((a, b) => b.priority - a.priority || compare(a.created_at, b.created_at) || a.ord - b.ord)
    .map(decodeJob);

type NewRow = Readonly<Record<string, string | number | null>>;

/** Of a row that is made; `lease`: the one that it is made under. */
export const newRowParams = (job: NewJob, status: WaitingStatus, lease: FirstLease | null): NewRow => ({
  ...newJobParams(job),
  ...heldFrom(status, lease),
});

function newJobParams(job: NewJob): NewRow {
  return {
    id: job.id,
    topology: job.topology,
    version: job.version,
    input: job.input,
    correlation_id: job.correlationId,
    labels: JSON.stringify(job.labels),
    parent_job_id: job.parentJobId,
    caller_job_id: job.callerJobId,
    source: job.source,
    submitted_by: job.submittedBy.identity,
    submitted_assurance: job.submittedBy.assurance,
    submitted_name: job.submittedBy.clientName ?? null,
    on_behalf_of: encodeBehalf(job.onBehalfOf ?? []),
    job_class: job.jobClass,
    priority: job.priority,
    engine: job.engine,
    needs: JSON.stringify(job.needs),
    snapshot: job.snapshot,
    recover: job.recover,
    timeout_ms: job.timeoutMs,
    attachments: JSON.stringify(job.attachments),
    trace_parent: job.traceParent,
  };
}

/** What a new row is inserted with; under the lease of `claim` where there is one. */
export interface Inserted {
  readonly status: WaitingStatus;
  readonly events: readonly RunEvent[];
  readonly claim?: ClaimRequest | undefined;
}

/** The lease under which a row is inserted. */
export interface FirstLease {
  readonly workerId: string;
  readonly leaseUntil: string;
  readonly holder: string;
  readonly now: string;
}

/** What a claim writes into the rows that it takes; `at`: the store's clock, plus milliseconds. */
export const leaseOf = (
  { workerId, leaseMs, host }: Lessee,
  at: (plusMs?: number) => string,
): FirstLease & Readonly<Record<string, string>> => ({
  workerId,
  leaseUntil: at(leaseMs),
  holder: encodeHost(host),
  now: at(),
});

/** Null: it waits for a claim. */
const heldFrom = (status: WaitingStatus, lease: FirstLease | null): NewRow => ({
  status: lease === null ? status : 'running',
  waiting_status: status,
  worker_id: lease?.workerId ?? null,
  lease_until: lease?.leaseUntil ?? null,
  holder: lease?.holder ?? null,
  claimed_at: lease?.now ?? null,
  attempt: lease === null ? 0 : 1,
});

export const encodeHost = (host: WorkerHost): string => JSON.stringify(host);

/** The same with the name of one claim: by it that one is told from each other. */
export const encodeHolder = (host: WorkerHost, claim: string): string => JSON.stringify({ ...host, claim });

/** null for a lease that names no host (or one that cannot be read): then time decides. */
export function decodeHost(text: string | null): WorkerHost | null {
  if (text === null) return null;
  const host: unknown = JSON.parse(text);
  return isHost(host) ? host : null;
}

function isHost(value: unknown): value is WorkerHost {
  if (typeof value !== 'object' || value === null) return false;
  const host = value as Partial<Record<keyof WorkerHost, unknown>>;
  return (
    typeof host.hostname === 'string' &&
    typeof host.bootId === 'string' &&
    typeof host.pid === 'number' &&
    typeof host.processStart === 'string'
  );
}
