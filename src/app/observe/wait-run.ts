import { isParked, isTerminal, type Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import { findJob } from '../find-job.js';
import { jobSoFar } from '../jobs/so-far.js';

/** Longest wait between two looks; a change in the store wakes it earlier. */
const POLL_MS = 1_000;

/**
 * What is waited for: `parked` = the run has ended or waits for people or a resume; `ended` = it
 * has ended.
 */
export type WaitUntil = 'parked' | 'ended';

/**
 * The run as it stands once it is what is waited for, or as it stands when `signal` aborts.
 * `settle` finds dead processes and fires deadlines before each look. Throws KIT_JOB_UNKNOWN,
 * KIT_JOB_ID_AMBIGUOUS.
 */
export async function waitForRun(
  stores: Pick<Stores, 'jobs' | 'events' | 'retention' | 'runs' | 'reviews'>,
  ask: {
    readonly run: string;
    readonly until: WaitUntil;
    readonly signal: AbortSignal;
    readonly settle: () => Promise<void>;
  },
): Promise<Job> {
  const { id } = await findJob(stores, ask.run);
  for (;;) {
    await ask.settle();
    const job = await findJob(stores, id);
    if (isTerminal(job.status) || (ask.until === 'parked' && isParked(job.status)) || ask.signal.aborted)
      return jobSoFar(stores, job);
    await stores.events.waitForChange(POLL_MS, ask.signal);
  }
}
