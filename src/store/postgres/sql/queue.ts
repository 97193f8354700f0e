import { WAITS } from '../../sql/jobs.js';

export const DEPTHS = `
SELECT topology, count(*) AS jobs, min(created_at) AS oldest FROM jobs
WHERE ${WAITS} GROUP BY topology`;

/**
 * One that waits for other runs stays `running` without a worker: it executes nothing, and holds no
 * slot.
 */
export const RUNNING = "SELECT count(*) AS jobs FROM jobs WHERE status = 'running' AND worker_id IS NOT NULL";

/** Runs without a worker until what is down may be up again, and when the next one looks. */
export const OUTAGES = `
SELECT count(*) AS jobs, min(wake_at) AS next FROM jobs
WHERE status = 'running' AND worker_id IS NULL AND wake_at IS NOT NULL AND CAST(waiting_on AS text) LIKE '%"outage:%'`;

/**
 * The newest runs that completed under their first claim; why, stands beside the text of the other
 * dialect.
 */
export const SAMPLES = `
SELECT created_at, claimed_at, started_at, completed_at FROM jobs
WHERE status = 'completed' AND attempt = 1 ORDER BY completed_at DESC, ord DESC LIMIT @limit`;
