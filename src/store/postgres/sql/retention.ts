import { isNamedBy, type NamedWords } from '../../sql/named.js';

export { DROP_CANDIDATE, DUE_CANDIDATES } from '../../sql/retention.js';

export const FIND_RESULT = `
SELECT ord, outcome_sha256 FROM steps
WHERE job_id = @jobId AND key = @key AND pruned_at IS NULL AND (outcome IS NOT NULL OR outcome_sha256 IS NOT NULL)`;

/** Ended jobs that still have their results, the earliest first. */
export const JOBS_TO_PRUNE = `
SELECT id FROM jobs
WHERE status IN ('completed', 'failed') AND pruned_at IS NULL AND completed_at <= @endedBefore
ORDER BY completed_at LIMIT @limit`;

/**
 * Results of one job that are to go. Activations keep theirs: each is the one hit that stands for
 * all below it. Status and reason are read from the whole text outside SQL: PostgreSQL's JSON
 * functions refuse a NUL, which a result may hold.
 */
export const RESULTS_TO_PRUNE = `
SELECT ord, outcome_sha256, outcome FROM steps
WHERE job_id = @jobId AND kind <> 'activation' AND pruned_at IS NULL AND (outcome IS NOT NULL OR outcome_sha256 IS NOT NULL)
ORDER BY ord LIMIT @limit`;

export const NAMED: NamedWords = { holds: (text, part) => `strpos(${text}, ${part}) > 0` };

export const IS_NAMED = `SELECT ${isNamedBy(NAMED, '@sha256')} AS named`;
