import { KitError } from '../../domain/errors.js';
import { isParked, isTerminal, isWaiting, type Job, type SubmittedFrom } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import { isOpen } from '../../govern/approval/rules.js';
import { findJob } from '../find-job.js';
import { jobSoFar } from '../jobs/so-far.js';
import { blockedBy } from './blocked-by.js';
import { RESUMABLE, type ResumeDeps, resumeRun } from './resume-run.js';
import { waitWords } from './wait-words.js';

/**
 * A worker that is there takes a woken run within this time; only then another process may
 * (docs/design/decisions.md#recorded).
 */
export const OTHERS_FIRST_MS = 1_000;

/** What going on with a run after a decision needs of the world. */
export interface GoOnDeps extends ResumeDeps {
  /** This machine and OS user. */
  readonly here: SubmittedFrom;
}

/** Which run, and how much this process wants it. */
export interface GoOnRequest {
  readonly job: string;
  /** Who asks, for the event of a resume. */
  readonly by: string;
  /**
   * `offer`: on SQLite alone, for a run that was submitted from this machine by this OS user, and
   * after everybody else had a second to take it. `insist`: at once, whoever submitted it, also one
   * that does not go on by itself.
   */
  readonly mode: 'offer' | 'insist';
  /** Whoever asked has gone: what is not claimed by then is left. Absent = they wait. */
  readonly signal?: AbortSignal;
}

/** The job claimed for this process, or left to others with the reason in words. */
export type WentOn =
  | { readonly kind: 'claimed'; readonly job: Job }
  | { readonly kind: 'left'; readonly job: Job; readonly why: string };

/**
 * Claims a run that a decision has made runnable, like any worker: through the one claim statement.
 * Nothing is lost where it is left: the decision stands, and the run goes on wherever it is
 * claimed.
 */
export async function goOn(deps: GoOnDeps, request: GoOnRequest): Promise<WentOn> {
  const job = await findJob(deps.stores, request.job);
  if (request.mode === 'insist' && RESUMABLE.includes(job.status))
    return { kind: 'claimed', job: await resumeRun(deps, { job: job.id, topology: null, by: request.by }) };
  if (isParked(job.status)) return { kind: 'left', job, why: await waitText(deps.stores, job) };
  if (!isWaiting(job.status)) return { kind: 'left', job, why: otherwise(job) };
  const not = await whyNotHere(deps, job);
  if (not !== null) return { kind: 'left', job, why: not };
  const now = await waitForOthers(deps, job, request.signal);
  if (request.signal?.aborted === true) return { kind: 'left', job: now, why: 'who decided has left' };
  if (!isWaiting(now.status)) return { kind: 'left', job: now, why: otherwise(now) };
  const claim = await deps.claimFor(job.needs);
  const missing = blockedBy(job, claim.offers);
  if (missing.length > 0) return { kind: 'left', job, why: `this kit cannot go on with it: ${missing.join('; ')}` };
  await deps.assertApproved(job);
  const [claimed] = await deps.stores.jobs.claim({ ...claim, jobId: job.id });
  if (claimed !== undefined) return { kind: 'claimed', job: claimed };
  const row = await rowOf(deps.stores, job.id);
  return { kind: 'left', job: row, why: otherwise(row) };
}

async function waitText(stores: Pick<Stores, 'reviews' | 'runs'>, job: Job): Promise<string> {
  if (job.status === 'stopped') return 'it is stopped';
  const state = await stores.reviews.state(job.id);
  if (state !== null && !state.job.autoResume && !state.items.some(isOpen))
    return `everything is decided; gates.auto_resume is off: kit run --resume=${job.id}`;
  return waitWords(await jobSoFar(stores, job));
}

function otherwise(job: Job): string {
  if (job.status === 'running') return `${job.workerId ?? 'another process'} has it`;
  // a server was quicker; whoever tells it says the status before
  if (isTerminal(job.status)) return 'nothing is left to do';
  return isWaiting(job.status) ? 'nobody could claim it' : `it is ${job.status}`;
}

/** Null: this is where it was submitted. */
async function whyNotHere({ stores, here }: GoOnDeps, job: Job): Promise<string | null> {
  if (stores.backend !== 'sqlite') return 'a worker goes on with it';
  const [first] = await stores.events.readRun(job.id, 0, 1);
  const from = first?.type === 'run.started' ? first.payload.submitted_from : undefined;
  if (from?.host === here.host && from.os_user === here.osUser) return null;
  return 'it was submitted from elsewhere or by another user';
}

async function waitForOthers({ stores, clock }: GoOnDeps, job: Job, gone?: AbortSignal): Promise<Job> {
  const until = clock.now() + OTHERS_FIRST_MS;
  const waiting = new AbortController();
  const wake = (): void => waiting.abort();
  gone?.addEventListener('abort', wake);
  try {
    for (;;) {
      const row = await rowOf(stores, job.id);
      // More than there was: the clock was set back.
      const leftMs = until - clock.now();
      if (!isWaiting(row.status) || leftMs <= 0 || leftMs > OTHERS_FIRST_MS || gone?.aborted === true) return row;
      await stores.events.waitForChange(leftMs, waiting.signal);
    }
  } finally {
    gone?.removeEventListener('abort', wake);
    waiting.abort();
  }
}

async function rowOf(stores: Stores, jobId: string): Promise<Job> {
  const row = await stores.jobs.get(jobId);
  if (row === null) throw new KitError('KIT_JOB_UNKNOWN', `there is no run ${jobId}`);
  return row;
}
