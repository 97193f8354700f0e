import { canChange, type JobStatus } from '../../domain/job.js';
import { endEvent } from '../../domain/reported-end.js';
import { callersEventId, type Kin } from '../family.js';
import type { Ending } from '../recovery.js';
import { leaveRemote } from '../sql/remote.js';
import type { Appended } from './appended-events.js';
import { withdrawReviews } from './apply-reviews.js';
import { TOPOLOGY_OF_RUN } from './sql/events.js';
import { END_ABANDONED_JOB } from './sql/jobs.js';
import type { Transaction } from './transaction.js';
import { wakeCaller } from './wake-caller.js';

const LEAVE_REMOTE = leaveRemote('job_id = @jobId');

export interface AbandonedJob extends Kin {
  readonly id: string;
  readonly status: JobStatus;
  readonly topology: string;
  readonly labels: string;
  readonly correlation_id: string | null;
  readonly crashes: number;
}

/** Ends a run that nobody executes, status and event together; the row is locked. */
export async function endAbandoned(
  tx: Transaction,
  job: AbandonedJob,
  { end, eventId }: { readonly end: Ending; readonly eventId: string },
): Promise<readonly Appended[]> {
  if (!canChange(job.status, end.status)) throw new Error(`a ${job.status} job cannot become ${end.status}`);
  const { now } = tx;
  const topologyId =
    (await tx.get<{ topology_id: string }>(TOPOLOGY_OF_RUN, { jobId: job.id }))?.topology_id ?? job.topology;
  await tx.run(END_ABANDONED_JOB, {
    jobId: job.id,
    status: end.status,
    reason: end.reason,
    error: end.error,
    crashes: job.crashes,
    now,
  });
  await withdrawReviews(tx, job.id, end.status);
  await tx.run(LEAVE_REMOTE, { jobId: job.id, now });
  await wakeCaller(tx, job, { hasEnded: true, eventId: callersEventId(eventId) });
  const owner = { jobId: job.id, labels: job.labels, correlationId: job.correlation_id };
  return tx.append(owner, [endEvent(end, { eventId, timestamp: now, topologyId })]);
}
