import { KitError } from '../../domain/errors.js';
import type { RunEvent } from '../../domain/events.js';
import { isParked, isWaiting, type Job, type JobStatus, nameBeside, type WaitingStatus } from '../../domain/job.js';
import { type JobNeeds, type JobOffers, withoutWorktrees } from '../../domain/job-needs.js';
import type { ClaimRequest, WorkerHost } from '../../domain/ports/stores.js';
import { isRetryable } from '../../domain/retryable.js';
import { fenceOf } from '../../worker/fence-of.js';
import { type EntryDeps, entryEvent } from '../entry-events.js';
import { findJob } from '../find-job.js';
import { blockedBy } from './blocked-by.js';

/**
 * Statuses of runs that can go on here: those that a resume leaves, and those that wait for whoever
 * claims them.
 */
export const RESUMABLE: readonly JobStatus[] = ['stopped', 'deferred', 'pending', 'queued'];

/**
 * True for a run that was begun: what still waits for its first worker is nobody's to go on with.
 */
export const wasBegun = (job: Job): boolean => isParked(job.status) || job.attempt > 0;

/** How many of the newest are looked at for one that was begun. */
const LOOKED_AT = 100;

/** What `resumeRun` needs of the world, and the claim it makes for this process. */
export interface ResumeDeps extends EntryDeps {
  readonly host: WorkerHost;
  /** A claim of this process of one job, with what it offers of these needs. */
  readonly claimFor: (needs: JobNeeds) => Promise<Omit<ClaimRequest, 'jobId'>>;
  /**
   * `server.jobs.recover: all`, of a process that serves: what it finds dead it goes on with.
   * Default: false.
   */
  readonly recoverAll?: boolean;
  /**
   * Asked before the run is claimed: what authorises is live (docs/design/journal.md#live). Throws
   * KIT_ADAPTER_UNTRUSTED, KIT_JOB_NOT_RESUMABLE.
   */
  readonly assertApproved: (job: Job) => Promise<void>;
  /**
   * Removes what the claimed run has of worktrees here, so that its sessions begin anew. Absent:
   * sessions go on where they can.
   */
  readonly discardWorktrees?: (jobId: string) => Promise<unknown>;
}

/** Which run is to go on; `by` is the identity that the event names. */
export interface ResumeRequest {
  /** Id or unique prefix; null = the newest that can go on. */
  readonly job: string | null;
  /** The topology that the caller named; must be the stored one. null = not named. */
  readonly topology: string | null;
  readonly by: string;
  /** What the entry point calls the identity; absent: it knows no name. */
  readonly clientName?: string;
  /**
   * Its sessions begin anew, here: their worktrees are given up, wherever they lie, and approvals
   * that were not used are void. Default: false.
   */
  readonly anew?: boolean;
}

/**
 * Makes a stopped or deferred run runnable, in one transaction. `claimed`: for this process, which
 * also takes as it is what a decision has woken and nobody took. For an entry point of a server the
 * run waits for a slot (`pending`), or in the queue for a process that has what it needs; one that
 * waits already is no more to be resumed than one that runs (docs/design/decisions.md#capacity),
 * but for one whose sessions shall begin anew: it may wait for a machine that is gone. A run whose
 * process died is first found dead by the sweep, so that it can go on as well
 * (docs/design/journal.md#takeover).
 *
 * Throws KIT_NOTHING_TO_RESUME, KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS, KIT_JOB_NOT_RESUMABLE,
 * KIT_ADAPTER_UNTRUSTED, KIT_USAGE.
 */
export async function resumeRun(
  deps: ResumeDeps,
  request: ResumeRequest,
  place: WaitingStatus | 'claimed' = 'claimed',
): Promise<Job> {
  const job = await findResumable(deps, request);
  const isAnew = request.anew === true;
  const isWoken = isWaiting(job.status) && !isAnew;
  if (place !== 'claimed' && (waitsForRuns(job) || isWoken)) throw notResumable(job);
  const needs = isAnew ? withoutWorktrees(job.needs) : job.needs;
  const claim = place === 'queued' ? undefined : { ...(await deps.claimFor(needs)), jobId: job.id };
  if (claim !== undefined) assertHere({ ...job, needs }, claim.offers);
  await deps.assertApproved(job);
  if (isWoken && claim !== undefined) return claimWoken(deps, claim);
  const { jobs } = deps.stores;
  const event = resumed(deps, job, request);
  if (!isAnew) return jobs.resume(job.id, event, place === 'claimed' ? claim : undefined);
  const row = await jobs.resume(job.id, event, claim, needs);
  // Whose worktrees lie elsewhere has none of them here.
  if (claim === undefined) return row;
  let isKept = false;
  try {
    // Nobody else is at work on it now.
    await deps.discardWorktrees?.(job.id);
    isKept = place === 'claimed';
  } finally {
    if (!isKept) await jobs.release(fenceOf(row));
  }
  return row;
}

async function findResumable(deps: ResumeDeps, request: ResumeRequest): Promise<Job> {
  await deps.stores.jobs.sweep(deps.host, { recoverAll: deps.recoverAll ?? false });
  const found = request.job === null ? await newest(deps, request) : await findJob(deps.stores, request.job);
  // A deadline that has passed may be what it waits for.
  const { fireDue } = await import('../review/fire-due.js');
  await fireDue(deps, found.id);
  const job = await findJob(deps.stores, found.id);
  assertResumable(job, request);
  return job;
}

const resumed = (deps: ResumeDeps, job: Job, request: ResumeRequest): RunEvent =>
  entryEvent(deps, {
    type: 'run.resumed',
    topology: job.topology,
    payload: {
      requested_by: request.by,
      ...nameBeside(request),
      from_status: job.status === 'stopped' ? 'stopped' : 'deferred',
      ...(request.anew === true ? { anew: true } : {}),
    },
  });

/**
 * The runs that it asked for are under way, or died with the process that carried out both: then
 * nobody else wakes it.
 */
const waitsForRuns = ({ status, workerId, wakeAt }: Job): boolean =>
  status === 'running' && workerId === null && wakeAt !== null;

/** It has its `run.resumed` already: it is claimed like by any worker. */
async function claimWoken({ stores }: ResumeDeps, claim: ClaimRequest & { readonly jobId: string }): Promise<Job> {
  const [claimed] = await stores.jobs.claim(claim);
  if (claimed === undefined) throw new KitError('KIT_LEASE_LOST', `run ${claim.jobId} was taken by another process`);
  return claimed;
}

async function newest(deps: ResumeDeps, request: ResumeRequest): Promise<Job> {
  const topology = request.topology?.split('@')[0];
  const jobs = await deps.stores.jobs.list({
    status: [...RESUMABLE, 'running'],
    limit: LOOKED_AT,
    ...(topology === undefined ? {} : { topology }),
  });
  // A run that another one asked for goes on with that one.
  const first = jobs.find(
    (job) => wasBegun(job) && job.callerJobId === null && (job.status !== 'running' || waitsForRuns(job)),
  );
  if (first === undefined)
    throw new KitError('KIT_NOTHING_TO_RESUME', `no run${topology === undefined ? '' : ` of ${topology}`} can go on`);
  return first;
}

function assertResumable(job: Job, request: ResumeRequest): void {
  const [name, version] = request.topology?.split('@') ?? [];
  if (name !== undefined && (name !== job.topology || (version !== undefined && version !== job.version))) {
    throw new KitError(
      'KIT_USAGE',
      `run ${job.id} is one of ${job.topology}@${job.version ?? ''}, not of ${request.topology}`,
      {
        hint: `Run kit run --resume=${job.id} with the topology ${job.topology}.`,
      },
    );
  }
  if (!isParked(job.status) && !isWaiting(job.status) && !waitsForRuns(job)) throw notResumable(job);
}

/** A run that this process would have to leave in the middle stays as it is. */
function assertHere(job: Job, offers: JobOffers): void {
  const missing = blockedBy(job, offers);
  if (missing.length > 0) {
    throw new KitError('KIT_JOB_NOT_RESUMABLE', `run ${job.id} cannot go on here: ${missing.join('; ')}`, {
      hint:
        blockedBy({ ...job, needs: withoutWorktrees(job.needs) }, offers).length === 0
          ? `Go on where its worktree lies, or begin its sessions anew here: kit resume ${job.id} --anew`
          : 'Bring back what it names, or resume the run with the kit that recorded it.',
      data: { job_id: job.id, missing: [...missing] },
    });
  }
}

const notResumable = (job: Job): KitError =>
  new KitError(
    'KIT_JOB_NOT_RESUMABLE',
    `run ${job.id} is ${job.status}; only deferred and stopped runs can be resumed`,
    {
      ...(isRetryable(job) ? { hint: `Go on with what failed: kit retry ${job.id}` } : {}),
      data: { status: job.status },
    },
  );
