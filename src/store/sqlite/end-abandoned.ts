import type { StoredEvent } from '../../domain/events.js';
import { canChange, type JobStatus } from '../../domain/job.js';
import { endEvent } from '../../domain/reported-end.js';
import { callersEventId, type Kin } from '../family.js';
import type { Ending } from '../recovery.js';
import { leaveRemote } from '../sql/remote.js';
import { appendEvents } from './append-events.js';
import { withdrawReviews } from './apply-reviews.js';
import { countUsage } from './count-usage.js';
import { TOPOLOGY_OF_RUN } from './sql/events.js';
import { END_ABANDONED_JOB } from './sql/jobs.js';
import { RUN_OF } from './sql/run-of.js';
import type { SqlRunner } from './sql-runner.js';
import { wakeCaller } from './wake-caller.js';

const LEAVE_REMOTE = leaveRemote(`run = ${RUN_OF}`);

export interface AbandonedJob extends Kin {
  readonly ord: number;
  readonly id: string;
  readonly status: JobStatus;
  readonly topology: string;
  readonly labels: string;
  readonly correlation_id: string | null;
  readonly crashes: number;
}

export interface AbandonedEnd {
  readonly end: Ending;
  readonly eventId: string;
  readonly now: string;
}

/**
 * Ends a run that nobody executes, status and event together. Only a status that may still
 * change gets here, so a run has one end for each time it was set going.
 */
export function endAbandoned(
  sql: SqlRunner,
  job: AbandonedJob,
  { end, eventId, now }: AbandonedEnd,
): readonly StoredEvent[] {
  if (!canChange(job.status, end.status)) throw new Error(`a ${job.status} job cannot become ${end.status}`);
  const topologyId = sql.get<{ topology_id: string }>(TOPOLOGY_OF_RUN, { run: job.ord })?.topology_id ?? job.topology;
  sql.run(END_ABANDONED_JOB, {
    jobId: job.id,
    status: end.status,
    reason: end.reason,
    error: end.error,
    crashes: job.crashes,
    now,
  });
  countUsage(sql, { run: job.ord, jobId: job.id });
  withdrawReviews(sql, job.id, end.status);
  sql.run(LEAVE_REMOTE, { jobId: job.id, now });
  wakeCaller(sql, job, { hasEnded: true, eventId: callersEventId(eventId), now });
  const owner = { run: job.ord, jobId: job.id, labels: job.labels, correlationId: job.correlation_id };
  return appendEvents(sql, owner, [endEvent(end, { eventId, timestamp: now, topologyId })]);
}
