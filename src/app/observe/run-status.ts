import { isParked, isTerminal, type Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import { outagesText } from '../../view/lines/failure-text.js';
import { figuresOf } from '../../view/run-figures.js';
import { RunFold } from '../../view/run-fold.js';
import { EMPTY_RUN, type RunView } from '../../view/run-view.js';
import { findJob } from '../find-job.js';
import { followRun } from '../follow-run.js';
import { jobSoFar, jobsSoFar } from '../jobs/so-far.js';
import { MAX_REPORT_EVENTS, type RunReport, type RunStatus, type RunSummary } from './observe-app.js';

/** Folds what the log holds of a run now, from a view that says how much it keeps. */
export async function statusOf(
  stores: Stores,
  job: Job,
  ask: { readonly nowMs: number; readonly from: RunView },
): Promise<RunStatus> {
  const fold = new RunFold(ask.from);
  for await (const event of eventsUntilNow(stores, job.id)) fold.add(event);
  return { job, view: fold.view, wallMs: wallMsOf(job, ask.nowMs) };
}

/**
 * The newest runs first. What an ended run has come to stands in its row, and its log is never
 * read; where it does not yet, it is counted once and kept.
 */
export async function summariesOf(stores: Stores, jobs: readonly Job[], nowMs: number): Promise<readonly RunSummary[]> {
  const all: RunSummary[] = [];
  for (const job of await jobsSoFar(stores, jobs)) {
    const counts = job.figures == null ? await counted(stores, job) : { figures: job.figures, outage: null };
    all.push({ job, ...counts, wallMs: wallMsOf(job, nowMs) });
  }
  return all;
}

/** Folded as a live view: nothing grows with the calls of an agent. */
async function counted(stores: Stores, job: Job): Promise<Pick<RunSummary, 'figures' | 'outage'>> {
  const { view } = await statusOf(stores, job, { nowMs: 0, from: EMPTY_RUN });
  const figures = figuresOf(view);
  // Who may only read counts again the next time.
  if (isTerminal(job.status) || job.status === 'stopped') await stores.jobs.keepFigures(job, figures).catch(() => {});
  return { figures, outage: outagesText(view) };
}

/** See `ObserveApp.report`. Throws KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS. */
export async function reportOf(
  stores: Stores,
  ask: {
    readonly run: string;
    readonly nowMs: number;
    readonly from: RunView;
    readonly mask: (text: string) => string;
  },
): Promise<RunReport> {
  const job = await jobSoFar(stores, await findJob(stores, ask.run));
  const events = [];
  const fold = new RunFold(ask.from);
  let eventsLeftOut = 0;
  for await (const event of eventsUntilNow(stores, job.id)) {
    fold.add(event);
    if (events.length < MAX_REPORT_EVENTS) events.push(event);
    else eventsLeftOut += 1;
  }
  const diffs = await stores.jobs.diffs(job.id);
  const { lineOf } = await import('./line-of.js');
  const line = await lineOf(stores, job);
  const { view } = fold;
  const { askedOfRun } = await import('../review/asked-run.js');
  const asked = await askedOfRun(stores, { job, view, nowMs: ask.nowMs, mask: ask.mask });
  return { job, view, asked, wallMs: wallMsOf(job, ask.nowMs), line, events, eventsLeftOut, diffs };
}

const eventsUntilNow = (stores: Stores, jobId: string) =>
  followRun(stores, { jobId, afterSeq: 0, signal: new AbortController().signal, onlyUntilNow: true });

/**
 * From the first claim to the end as the row has it; a run that goes on is measured until `nowMs`.
 */
export function wallMsOf(job: Job, nowMs: number): number | null {
  if (job.startedAt === null) return null;
  const isOver = isTerminal(job.status) || isParked(job.status);
  const end = isOver ? (job.completedAt ?? job.parkedAt) : null;
  return Math.max(0, (end === null ? nowMs : Date.parse(end)) - Date.parse(job.startedAt));
}
