/**
 * The run that asked for a run has a column of its own; `parent_job_id` is the one that a run goes
 * on from or replaces.
 */
export const CALLERS = `
ALTER TABLE jobs ADD COLUMN caller_job_id TEXT;
UPDATE jobs SET caller_job_id = parent_job_id, parent_job_id = NULL WHERE source = 'agent';`;
