import { produced } from '../../sql/steps.js';

/** In the order they were started; a repeated step keeps its place. */
export const LOAD_STEPS = 'SELECT * FROM steps WHERE job_id = ANY(CAST(@jobIds AS TEXT[])) ORDER BY ord';

export const LOAD_PRODUCED = produced('job_id = ANY(CAST(@jobIds AS TEXT[]))');

export const READ_OPEN_NOTES =
  'SELECT notes FROM steps WHERE job_id = @jobId AND key = @key AND outcome IS NULL AND outcome_sha256 IS NULL';
export const SET_NOTES = 'UPDATE steps SET notes = @notes WHERE job_id = @jobId AND key = @key';

/** The innermost step that was under way: the one started last. */
export const FIND_STEP_IN_DOUBT =
  'SELECT key FROM steps WHERE job_id = @jobId AND outcome IS NULL AND outcome_sha256 IS NULL ORDER BY ord DESC LIMIT 1';
