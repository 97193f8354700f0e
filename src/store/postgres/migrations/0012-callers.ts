/** The notes stand beside the text of the other dialect. */
export const CALLERS = `
ALTER TABLE jobs ADD COLUMN caller_job_id TEXT;
UPDATE jobs SET caller_job_id = parent_job_id, parent_job_id = NULL WHERE source = 'agent';`;
