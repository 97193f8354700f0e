import type { Job } from '../../domain/job.js';

/** What came of asking a run to stop, of which people are told. */
export interface Stopping {
  readonly job: Pick<Job, 'id' | 'status' | 'stopRequestedAt'>;
  readonly alreadyRequested: boolean;
  readonly outcome: 'requested' | 'stopped' | 'finished';
}

/** One sentence; whoever tells it adds how the run goes on, where it can. */
export function stopWords({ job, outcome, alreadyRequested }: Stopping): {
  readonly text: string;
  readonly goesOn: boolean;
} {
  const run = `run ${job.id}`;
  if (outcome === 'finished') return { text: `${run} is ${job.status}; there is nothing to stop`, goesOn: false };
  if (outcome === 'stopped') return { text: `${run} is stopped`, goesOn: true };
  if (alreadyRequested)
    return { text: `${run} was already asked to stop at ${job.stopRequestedAt ?? 'an earlier time'}`, goesOn: false };
  return { text: `${run} stops once its steps in flight have ended, calls of models at once`, goesOn: true };
}
