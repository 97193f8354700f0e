import { canChange, type JobStatus } from '../domain/job.js';
import { endEvent } from '../domain/reported-end.js';
import { withdrawReviews } from './apply-reviews.js';
import { ownerOf } from './event-row.js';
import { callersEventId } from './family.js';
import type { FencedRow } from './fenced-row.js';
import { type Appended, append, get, type Program, run, setJobs } from './program.js';
import type { Ending } from './recovery.js';
import { END_ABANDONED_JOB } from './sql/jobs.js';
import { wakeCaller } from './wake-caller.js';

export interface AbandonedJob extends Omit<FencedRow, 'stop_requested_at' | 'stop_requested_by'> {
  readonly id: string;
  readonly status: JobStatus;
}

/** What the dialects write differently. */
export interface EndWords {
  /** With `@run` or `@jobId`. */
  readonly TOPOLOGY_OF_RUN: string;
  readonly WITHDRAW_REVIEWS: readonly string[];
  readonly LEAVE_REMOTE: string;
}

/**
 * Ends a run that nobody executes, status and event together; its row is locked. Only a status that
 * may still change gets here, so a run has one end for each time it was set going.
 */
export function* endAbandoned(
  words: EndWords,
  job: AbandonedJob,
  { end, eventId, now }: { readonly end: Ending; readonly eventId: string; readonly now: string },
): Program<readonly Appended[]> {
  if (!canChange(job.status, end.status)) throw new Error(`a ${job.status} job cannot become ${end.status}`);
  const { id: jobId, ord, crashes } = job;
  const first = yield* get<{ topology_id: string }>(words.TOPOLOGY_OF_RUN, { run: ord, jobId });
  const { status, reason, error } = end;
  yield* setJobs(END_ABANDONED_JOB, { jobId, status, reason, error, crashes, now });
  yield* withdrawReviews(words.WITHDRAW_REVIEWS, jobId, status);
  yield* run(words.LEAVE_REMOTE, { jobId, now });
  yield* wakeCaller(job, { hasEnded: true, eventId: callersEventId(eventId), now });
  const topologyId = first?.topology_id ?? job.topology;
  return yield* append(ownerOf(job), [endEvent(end, { eventId, timestamp: now, topologyId })]);
}
