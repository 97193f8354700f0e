export const DEPTHS = `
SELECT topology, count(*) AS jobs, min(created_at) AS oldest FROM jobs
WHERE status IN ('pending', 'queued') GROUP BY topology`;

export const RUNNING = "SELECT count(*) AS jobs FROM jobs WHERE status = 'running'";

/** The newest runs that completed under their first claim; why, stands beside the text of the other dialect. */
export const SAMPLES = `
SELECT created_at, claimed_at, started_at, completed_at FROM jobs
WHERE status = 'completed' AND attempt = 1 ORDER BY completed_at DESC, ord DESC LIMIT @limit`;

export const JOB_COUNTS = "SELECT status, count(*) AS jobs FROM jobs WHERE status IN ('completed', 'failed', 'stopped') GROUP BY status";
