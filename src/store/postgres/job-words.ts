import type { NoteWords } from '../note-step.js';
import type { ParkWords } from '../park-run.js';
import { POSTGRES_DIALECT } from '../program.js';
import { getJobLocked, heldJob } from '../sql/jobs.js';
import { leaveRemote } from '../sql/remote.js';
import type { JobWords } from '../stored-jobs.js';
import { TOPOLOGY_OF_RUN } from './sql/events.js';
import { LIST_CONDITIONS, OF_STATUS, SHARE_JOBS } from './sql/jobs.js';
import { IS_SETTLED, WITHDRAW_REVIEWS } from './sql/reviews.js';
import { FIND_STEP_IN_DOUBT, READ_OPEN_NOTES, SET_NOTES } from './sql/steps.js';

/** What is written about the rows of a run in the words of PostgreSQL. */
export const JOB_WORDS: JobWords & ParkWords & NoteWords = {
  GET_JOB_LOCKED: getJobLocked(POSTGRES_DIALECT),
  HELD_JOB: heldJob(POSTGRES_DIALECT),
  FIND_STEP_IN_DOUBT,
  TOPOLOGY_OF_RUN,
  LEAVE_REMOTE: leaveRemote('job_id = @jobId'),
  LIST_CONDITIONS,
  OF_STATUS,
  SHARE_JOBS,
  IS_SETTLED,
  READ_OPEN_NOTES,
  SET_NOTES,
  WITHDRAW_REVIEWS: [WITHDRAW_REVIEWS],
};
