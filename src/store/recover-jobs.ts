import type { Job } from '../domain/job.js';
import { type EndWords, endAbandoned } from './end-abandoned.js';
import { decodeJob, type JobRow } from './job-row.js';
import { get, type Program, setJobs } from './program.js';
import { givenUpOf, type Recovery, recoveryOf } from './recovery.js';
import { GET_JOB, REQUEUE_JOB } from './sql/jobs.js';

/** What the dialects write differently of a job that its holder has left. */
export interface RecoverWords extends EndWords {
  /** The row as long as this claim holds it, locked. */
  readonly HELD_JOB: string;
  /** With `@run` or `@jobId`. */
  readonly FIND_STEP_IN_DOUBT: string;
}

/** One claim of a job, as a sweep has seen it. */
export type SeenClaim = Pick<JobRow, 'id' | 'worker_id' | 'attempt'>;

interface Takeover {
  /** Judged again once the row is locked: the holder may have renewed its lease in between. */
  readonly isOver: (row: JobRow) => boolean;
  readonly recoverAll: boolean;
  readonly eventId: string;
  readonly now: string;
}

/** Takes over one lease that is over; null = it no longer is. */
export function* recoverJob(
  words: RecoverWords,
  seen: SeenClaim,
  { isOver, recoverAll, ...of }: Takeover,
): Program<Job | null> {
  const { id: jobId, worker_id: workerId, attempt } = seen;
  const row = yield* get<JobRow>(words.HELD_JOB, { jobId, workerId, attempt });
  if (row === undefined || !isOver(row)) return null;
  const job = decodeJob(row);
  const recovery = recoveryOf(recoverAll ? { ...job, recover: 'auto' } : job, yield* stepInDoubt(words, row));
  yield* apply(words, row, { ...of, recovery });
  const after = yield* get<JobRow>(GET_JOB, { jobId });
  return after === undefined ? null : decodeJob(after);
}

/** What becomes of a locked job that its own worker cannot go on with. */
export function* giveUp(
  words: RecoverWords,
  row: JobRow,
  of: { readonly why: string; readonly eventId: string; readonly now: string },
): Program<void> {
  const recovery = givenUpOf(row, { why: of.why, stepKey: yield* stepInDoubt(words, row) });
  yield* apply(words, row, { ...of, recovery });
}

function* stepInDoubt({ FIND_STEP_IN_DOUBT }: RecoverWords, { ord, id }: JobRow): Program<string | null> {
  return (yield* get<{ key: string }>(FIND_STEP_IN_DOUBT, { run: ord, jobId: id }))?.key ?? null;
}

function* apply(
  words: RecoverWords,
  row: JobRow,
  { recovery, eventId, now }: { readonly recovery: Recovery; readonly eventId: string; readonly now: string },
): Program<void> {
  const { crashes } = recovery;
  if (recovery.kind === 'requeue') yield* setJobs(REQUEUE_JOB, { jobId: row.id, crashes });
  else
    yield* endAbandoned(words, { ...row, status: decodeJob(row).status, crashes }, { end: recovery.end, eventId, now });
}
