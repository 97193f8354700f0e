import { WAITS } from '../../sql/jobs.js';

const IS_OF_KIND = 'engine = @engine AND job_class = @jobClass AND needs = @needs';

const next = (condition: string): string => `
SELECT engine, job_class, needs FROM jobs INDEXED BY jobs_waiting_kinds
WHERE ${WAITS} AND ${condition} ORDER BY engine, job_class, needs LIMIT 1`;

/**
 * The next kind in the order of the index, by the column in which it differs: one entry is read,
 * however many jobs are of the kind before. (One comparison of all three reads them all: SQLite
 * begins the search for a row value at its equals.)
 */
export const NEXT_NEEDS = next('engine = @engine AND job_class = @jobClass AND needs > @needs');
export const NEXT_CLASS = next('engine = @engine AND job_class > @jobClass');
export const NEXT_ENGINE = next('engine > @engine');

/** Of runs that wait for other runs, or that those have woken: few at any time. */
export const DUE_NEEDS = `
SELECT DISTINCT needs FROM jobs INDEXED BY jobs_due
WHERE status = 'running' AND worker_id IS NULL AND wake_at IS NOT NULL LIMIT @limit`;

/** Reads the index alone, but for the one row that is named. */
export const COUNT_WAITING = `
SELECT (SELECT count(*) FROM jobs INDEXED BY jobs_waiting_kinds WHERE ${WAITS} AND ${IS_OF_KIND}) AS jobs,
  (SELECT id FROM jobs INDEXED BY jobs_waiting_kinds WHERE ${WAITS} AND ${IS_OF_KIND} LIMIT 1) AS example`;
