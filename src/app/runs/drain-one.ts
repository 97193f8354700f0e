import { ERROR_REGISTRY } from '../../domain/error-registry.js';
import { KitError, messageOf } from '../../domain/errors.js';
import type { Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock, Log } from '../../domain/ports/system.js';
import { coalesce } from '../../lib/coalesce.js';
import type { Lost } from '../../worker/failure-of.js';
import { fenceOf } from '../../worker/fence-of.js';
import type { RunJobOptions } from '../../worker/run-job-options.js';
import type { EntryDeps } from '../entry-events.js';
import { followRun } from '../follow-run.js';
import { jobSoFar } from '../jobs/so-far.js';
import { pruneJournal } from '../prune-journal.js';
import { stopJob } from '../stop-job.js';
import { type SweepWorktrees, sweepLeftWorktrees } from '../sweep-worktrees.js';
import type { FamilyDeps } from './drain-family.js';
import type { RunHandle } from './runs-app.js';
import type { TextFeed } from './text-feed.js';

/** What executing one run takes: the worker's own needs, and those of clearing up after it. */
export interface DrainDeps extends EntryDeps, FamilyDeps {
  readonly stores: Stores;
  /** Removes what ended runs kept or left; one for all runs of the session (`clearUpAfter`). */
  readonly clearUp: () => Promise<void>;
  /** As in RunSession. */
  readonly sweepContainers: () => Promise<number>;
  readonly texts: Pick<TextFeed, 'follow'>;
  /**
   * Tells others of the run once it has parked or ended; it never rejects and is bounded in time.
   * Absent: nobody is told.
   */
  readonly exported?: (job: Job) => Promise<void>;
}

/** What clearing up behind runs takes. */
export interface ClearUpDeps {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly log: Log;
  /** `storage.journal_days` of the workspace, as it is now. */
  readonly journalDays: number;
  readonly sweepWorktrees: SweepWorktrees;
}

/** An abort without a reason would make an error with a stack, for nobody. */
const STOPPED = 'a stop was asked for';

/**
 * Executes one claimed job in this process with the worker's own code, and hands out its stream.
 * `askedAtMs`: when the claim was asked for, by this process's clock.
 */
export function drainOne(
  deps: DrainDeps,
  { job, askedAtMs }: { readonly job: Job; readonly askedAtMs: number },
  said: Pick<RunHandle, 'warnings' | 'advice' | 'author'>,
): RunHandle {
  const abort = new AbortController();
  const stop = new AbortController();
  const done = execute(deps, job, { abort: abort.signal, stop: stop.signal, askedAtMs, rests: true });
  // The caller awaits `done` after the stream has ended; a rejection in between is not lost.
  done.catch(() => undefined);
  return {
    job,
    ...said,
    done,
    events: (afterSeq, signal) => followRun(deps.stores, { jobId: job.id, afterSeq, signal }),
    texts: (signal) => deps.texts.follow(job.id, signal),
    stop: async (by) => {
      await stopJob(deps, { job: job.id, by });
      stop.abort(STOPPED);
    },
    abort: () => abort.abort(),
  };
}

async function execute(deps: DrainDeps, job: Job, options: RunJobOptions): Promise<Job> {
  // Most commands that hold these use cases run nothing, and behind this lies the whole engine.
  const { runJob } = await import('../../worker/run-job.js');
  // Beside the run: it waits for what is left of another one before it starts a container itself.
  const swept = deps.sweepContainers();
  const first = await runJob(deps, job, options).catch((error: unknown) => leave(deps, job, error));
  const result =
    first.kind === 'waiting'
      ? await (await import('./drain-family.js')).drainFamily(deps, job, { options, first })
      : first;
  // Its hint names `--resume`, which a row that says `running` would refuse.
  if (result.kind === 'lost') return leave(deps, job, await lostRun(deps, { job, ...result }), result.why);
  await Promise.all([deps.clearUp(), deps.exported?.(job), swept]);
  const row = await deps.stores.jobs.get(job.id);
  if (row === null) throw new KitError('KIT_INTERNAL', `run ${job.id} has no row`);
  // Until the end its journal alone says what a run has used and changed, and whom it waits for.
  return jobSoFar(deps.stores, row);
}

/**
 * A run that this process cannot carry out (no free connection, a right that is missing, a store
 * that took no more writes) is nobody's: its row does not say `running` until somebody finds its
 * process dead. Where the store does not take this write either, it does. `why`: as in `release`.
 */
async function leave({ stores, log }: DrainDeps, job: Job, error: unknown, why?: string): Promise<never> {
  const { giveBack } = await import('../../worker/held-claim.js');
  await giveBack({ jobs: stores.jobs, log }, { fence: fenceOf(job), ...(why === undefined ? {} : { why }) });
  throw error;
}

/**
 * Somebody else has the run now, or nobody has, because the store took no more writes: the row
 * tells which.
 */
async function lostRun(deps: DrainDeps, { job, why, trouble }: Lost & { readonly job: Job }): Promise<KitError> {
  const row = await deps.stores.jobs.get(job.id).catch(() => null);
  const isStillOurs = row?.status === 'running' && row.workerId === job.workerId && row.attempt === job.attempt;
  if (trouble !== undefined)
    return new KitError(trouble.code, `run ${job.id} could not go on: ${trouble.message}`, {
      hint: `${trouble.hint ?? ERROR_REGISTRY[trouble.code].hint} Then: kit run --resume=${job.id}`,
    });
  if (!isStillOurs) return new KitError('KIT_LEASE_LOST', `run ${job.id} was taken over by another process`);
  const hint = `Nothing that was recorded is lost; go on with: kit run --resume=${job.id}`;
  if (why !== undefined)
    return new KitError('KIT_STORE_REFUSED', `the store did not take what run ${job.id} had to record: ${why}`, {
      hint,
    });
  return new KitError('KIT_STORE_BUSY', `the store took nothing more of run ${job.id}`, { hint });
}

/**
 * Only a process that died leaves a worktree: looking for one behind every run of a busy process
 * finds nothing new.
 */
const SWEEP_EVERY_MS = 60_000;

/** Runs of a process that ends many a second find nothing more that has become that old. */
const PRUNE_EVERY_MS = 1_000;

/**
 * Each run that ends clears away what older ones kept or left; runs that end together share it.
 * They have ended, whatever becomes of this.
 */
export function clearUpAfter(deps: ClearUpDeps): () => Promise<void> {
  let sweptAtMs: number | null = null;
  let prunedAtMs: number | null = null;
  return coalesce(async () => {
    if (deps.journalDays > 0 && prunedAtMs !== null && Math.abs(deps.clock.now() - prunedAtMs) < PRUNE_EVERY_MS) return;
    try {
      await pruneJournal(deps, deps.journalDays);
      prunedAtMs = deps.clock.now();
      if (sweptAtMs !== null && Math.abs(deps.clock.now() - sweptAtMs) < SWEEP_EVERY_MS) return;
      sweptAtMs = deps.clock.now();
      await sweepLeftWorktrees(deps.stores, deps.sweepWorktrees);
    } catch (error) {
      deps.log.warn('what ended runs kept could not be removed', {
        error: messageOf(error),
      });
    }
  });
}
