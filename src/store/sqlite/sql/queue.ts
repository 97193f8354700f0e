import { WAITS } from '../../sql/jobs.js';

/**
 * Reads its index alone. INDEXED BY: the planner would take the index of the claim and look at
 * every row.
 */
export const DEPTHS = `
SELECT topology, count(*) AS jobs, min(created_at) AS oldest FROM jobs INDEXED BY jobs_waiting
WHERE ${WAITS} GROUP BY topology`;

/**
 * One that waits for other runs stays `running` without a worker: it executes nothing, and holds no
 * slot.
 */
export const RUNNING =
  "SELECT count(*) AS jobs FROM jobs INDEXED BY jobs_held WHERE status = 'running' AND worker_id IS NOT NULL";

/** Runs without a worker until what is down may be up again, and when the next one looks. */
export const OUTAGES = `
SELECT count(*) AS jobs, min(wake_at) AS next FROM jobs INDEXED BY jobs_due
WHERE status = 'running' AND worker_id IS NULL AND wake_at IS NOT NULL AND CAST(waiting_on AS text) LIKE '%"outage:%'`;

/**
 * The newest runs that completed under their first claim: of one that was parked or taken over, the
 * last claim is not when it began, and the time between was not execution.
 */
export const SAMPLES = `
SELECT created_at, claimed_at, started_at, completed_at FROM jobs INDEXED BY jobs_sampled
WHERE status = 'completed' AND attempt = 1 ORDER BY completed_at DESC, ord DESC LIMIT @limit`;
