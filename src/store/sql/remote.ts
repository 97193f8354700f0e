/** What runs leave for whoever watches agents that run elsewhere. */

/** The row of a wait, written with the park of its run; due at once. */
export const WAIT_REMOTE = `
INSERT INTO timers (due_at, job_id, key, kind) VALUES (@now, @jobId, @key, 'remote')
ON CONFLICT (job_id, key, kind) DO UPDATE SET due_at = excluded.due_at`;

/**
 * Of a run that nobody executes and that is ended: tasks that its journal names, and whose end it
 * has not seen. `ofRun`: as the dialect's index finds its steps.
 */
export const leaveRemote = (ofRun: string): string => `
INSERT INTO timers (due_at, job_id, key, kind)
SELECT @now, job_id, key, 'remote' FROM steps WHERE ${ofRun} AND outcome IS NULL AND outcome_sha256 IS NULL AND notes LIKE '%"remote":%'
ON CONFLICT (job_id, key, kind) DO UPDATE SET due_at = excluded.due_at`;
