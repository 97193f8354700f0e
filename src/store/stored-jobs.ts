import type { RunEvent } from '../domain/events.js';
import { type Fence, isWaiting, type Job } from '../domain/job.js';
import type { Lessee } from '../domain/ports/begun.js';
import type { BlobStore, ClaimRequest, JobFilter, JobStore, Once } from '../domain/ports/stores.js';
import type { Ids } from '../domain/ports/system.js';
import type { RunFigures } from '../domain/run-figures.js';
import { assertOffered } from './assert-offered.js';
import { endAbandoned } from './end-abandoned.js';
import { ownerOf } from './event-row.js';
import { isOver, wasParked } from './family.js';
import { findOnce } from './find-once.js';
import { decodeJob, type JobRow, leaseOf } from './job-row.js';
import { encodeFigures } from './kept-figures.js';
import { type ListingWords, listingOf } from './list-jobs.js';
import { append, get, type Program, type Programs, run, setJobs } from './program.js';
import { giveUp, type RecoverWords } from './recover-jobs.js';
import { stoppedOnRequest } from './recovery.js';
import { jobNotResumable, jobUnknown, leaseLost } from './refusals.js';
import { refuseEnd } from './run-ended.js';
import {
  CLAIM_ONE,
  GET_DIFFS,
  GET_JOB,
  KEEP_FIGURES,
  REQUEST_STOP,
  REQUEUE_JOB,
  RESUME_JOB,
  SET_NEEDS,
} from './sql/jobs.js';

/** What the dialects write differently of a job. */
export interface JobWords extends RecoverWords, ListingWords {
  /** The row, locked: what is decided on it holds until the commit. */
  readonly GET_JOB_LOCKED: string;
}

export interface StoredJobsParts {
  readonly programs: Programs;
  readonly words: JobWords;
  readonly blobs: BlobStore;
  readonly ids: Ids;
}

type At = (plusMs?: number) => string;

/**
 * What is done with the row of one job, the same in both dialects. Claims, first rows and
 * heartbeats come in numbers, and each dialect puts them together in its own way.
 */
export abstract class StoredJobs
  implements
    Pick<JobStore, 'get' | 'list' | 'diffs' | 'release' | 'resume' | 'requestStop' | 'keepFigures' | 'findOnce'>
{
  readonly #parts: StoredJobsParts;

  constructor(parts: StoredJobsParts) {
    this.#parts = parts;
  }

  async get(jobId: string): Promise<Job | null> {
    const row = await this.#parts.programs.read(() => get<JobRow>(GET_JOB, { jobId }));
    return row === undefined ? null : decodeJob(row);
  }

  list(filter: JobFilter): Promise<readonly Job[]> {
    const { programs, words } = this.#parts;
    return programs.read(() => listingOf(filter, words));
  }

  findOnce(once: Once): Promise<Job | null> {
    return findOnce(this.#parts.programs, once);
  }

  release(fence: Fence, why?: string): Promise<void> {
    const { programs, words, ids } = this.#parts;
    return programs.write('job.release', (at) => release(words, fence, { why, uuid: () => ids.uuid(), now: at() }), [
      fence.jobId,
    ]);
  }

  resume(jobId: string, event: RunEvent, claim?: ClaimRequest, needs?: Job['needs']): Promise<Job> {
    const { programs, words } = this.#parts;
    return programs.write('job.resume', (at) => resume(words, jobId, { event, needs, claim, at }), [jobId]);
  }

  requestStop(
    jobId: string,
    by: string,
    event: RunEvent,
  ): Promise<{ readonly job: Job; readonly alreadyRequested: boolean }> {
    const { programs, words, ids } = this.#parts;
    return programs.write('job.stop', (at) => stop(words, jobId, { by, event, uuid: () => ids.uuid(), now: at() }), [
      jobId,
    ]);
  }

  /** Not of a run that went on since. */
  async keepFigures({ id, attempt }: Pick<Job, 'id' | 'attempt'>, figures: RunFigures): Promise<void> {
    const params = { jobId: id, attempt, figures: encodeFigures(attempt, figures) };
    await this.#parts.programs.write(null, () => run(KEEP_FIGURES, params), [id]);
  }

  async diffs(jobId: string): Promise<Readonly<Record<string, string>> | null> {
    const { programs, blobs } = this.#parts;
    const row = await programs.read(() => get<{ diffs_sha256: string | null }>(GET_DIFFS, { jobId }));
    if (row === undefined || row.diffs_sha256 === null) return null;
    const bytes = await blobs.get(row.diffs_sha256);
    // Written by `run.ended` from a value of this type.
    return bytes === null ? null : (JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string>);
  }
}

/** Throws KIT_JOB_UNKNOWN. */
export function* requireJob({ GET_JOB_LOCKED }: Pick<JobWords, 'GET_JOB_LOCKED'>, jobId: string): Program<JobRow> {
  const row = yield* get<JobRow>(GET_JOB_LOCKED, { jobId });
  if (row === undefined) throw jobUnknown(jobId);
  return row;
}

/** The job as it now is, under the caller's lease when one is asked for. */
export function* claimedJob(
  words: Pick<JobWords, 'GET_JOB_LOCKED'>,
  job: Pick<Job, 'id' | 'needs'>,
  { claim, at }: { readonly claim: ClaimRequest | undefined; readonly at: At },
): Program<Job> {
  if (claim === undefined) return decodeJob(yield* requireJob(words, job.id));
  assertOffered(job, claim);
  return yield* takeJob(words, job.id, { holder: claim, at });
}

/** A job that this transaction has just made or resumed, claimed at once. */
export function* takeJob(
  words: Pick<JobWords, 'GET_JOB_LOCKED'>,
  jobId: string,
  { holder, at }: { readonly holder: Lessee; readonly at: At },
): Program<Job> {
  yield* setJobs(CLAIM_ONE, { ...leaseOf(holder, at), jobId });
  return decodeJob(yield* requireJob(words, jobId));
}

function* release(
  words: JobWords,
  fence: Fence,
  { why, uuid, now }: { readonly why: string | undefined; readonly uuid: () => string; readonly now: string },
): Program<void> {
  const row = yield* get<JobRow>(words.HELD_JOB, { ...fence });
  if (row === undefined) throw leaseLost(fence);
  if (row.stop_requested_at !== null) yield* stopNow(words, row, { eventId: uuid(), now });
  else if (why === undefined) yield* setJobs(REQUEUE_JOB, { jobId: row.id, crashes: row.crashes });
  else yield* giveUp(words, row, { why, eventId: uuid(), now });
}

interface Resuming {
  readonly event: RunEvent;
  readonly needs: Job['needs'] | undefined;
  readonly claim: ClaimRequest | undefined;
  readonly at: At;
}

function* resume(words: JobWords, jobId: string, { event, needs, claim, at }: Resuming): Program<Job> {
  refuseEnd([event]);
  const row = yield* requireJob(words, jobId);
  const isTaken = needs !== undefined && isWaiting(row.status);
  if ((yield* setJobs(RESUME_JOB, { jobId })) === 0 && !isTaken) throw jobNotResumable(jobId, row.status);
  if (needs !== undefined) yield* run(SET_NEEDS, { jobId, needs: JSON.stringify(needs) });
  if (wasParked(row)) yield* append(ownerOf(row), [event]);
  return yield* claimedJob(words, { id: jobId, needs: needs ?? decodeJob(row).needs }, { claim, at });
}

interface Stopping {
  readonly by: string;
  readonly event: RunEvent;
  readonly uuid: () => string;
  readonly now: string;
}

function* stop(
  words: JobWords,
  jobId: string,
  { by, event, uuid, now }: Stopping,
): Program<{ readonly job: Job; readonly alreadyRequested: boolean }> {
  refuseEnd([event]);
  const before = yield* requireJob(words, jobId);
  const alreadyRequested = before.stop_requested_at !== null;
  if (isOver(before) || alreadyRequested) return { job: decodeJob(before), alreadyRequested };
  yield* setJobs(REQUEST_STOP, { jobId, by, now });
  yield* append(ownerOf(before), [event]);
  if (before.worker_id === null) yield* stopNow(words, { ...before, stop_requested_by: by }, { eventId: uuid(), now });
  return { job: decodeJob(yield* requireJob(words, jobId)), alreadyRequested };
}

function* stopNow(words: JobWords, row: JobRow, of: { readonly eventId: string; readonly now: string }): Program<void> {
  const job = { ...row, status: decodeJob(row).status };
  yield* endAbandoned(words, job, { ...of, end: stoppedOnRequest(row.stop_requested_by) });
}
