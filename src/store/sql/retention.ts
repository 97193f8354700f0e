/** Statements about retention that are the same text in both dialects; named parameters. */

/**
 * Only of a job that is over: one that can go on needs its results. `isItsJob`: which row of `jobs`
 * is that of the step.
 */
export const pruneResult = (steps: string, isItsJob: string): string => `
UPDATE ${steps} SET outcome = @outcome, outcome_sha256 = NULL, pruned_at = @now
WHERE ord = @ord AND pruned_at IS NULL AND EXISTS (SELECT 1 FROM jobs WHERE ${isItsJob} AND status IN ('completed', 'failed'))`;

export const MARK_JOB_PRUNED =
  "UPDATE jobs SET pruned_at = @now WHERE id = @jobId AND status IN ('completed', 'failed')";

/** What was asked goes with what was answered. */
export const DROP_PROMPTS = 'DELETE FROM prompts WHERE job_id = @jobId';

export const ADD_CANDIDATE =
  'INSERT INTO blob_candidates (sha256, since) VALUES (@sha256, @now) ON CONFLICT (sha256) DO UPDATE SET since = excluded.since';

export const DUE_CANDIDATES = 'SELECT sha256 FROM blob_candidates WHERE since <= @before ORDER BY since LIMIT @limit';

export const DROP_CANDIDATE = 'DELETE FROM blob_candidates WHERE sha256 = @sha256';
