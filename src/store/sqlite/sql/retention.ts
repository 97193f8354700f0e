import { isNamedBy, type NamedWords } from '../../sql/named.js';
import { pruneResult } from '../../sql/retention.js';
import { RUN_OF } from './run-of.js';

export { DROP_CANDIDATE } from '../../sql/retention.js';

export const PRUNE_RESULT = pruneResult('step_rows', 'ord = step_rows.run');

export const FIND_RESULT = `
SELECT ord, outcome_sha256 FROM steps
WHERE run = @run AND key = @key AND pruned_at IS NULL AND (outcome IS NOT NULL OR outcome_sha256 IS NOT NULL)`;

/**
 * Ended jobs that still have their results, the earliest first. INDEXED BY: the planner would take
 * the index by status.
 */
export const JOBS_TO_PRUNE = `
SELECT id FROM jobs INDEXED BY jobs_to_prune
WHERE status IN ('completed', 'failed') AND pruned_at IS NULL AND completed_at <= @endedBefore
ORDER BY completed_at LIMIT @limit`;

/**
 * Results of one job that are to go. Activations keep theirs: each is the one hit that stands for
 * all below it.
 */
export const RESULTS_TO_PRUNE = `
SELECT ord, outcome_sha256, json_extract(outcome, '$.status') AS status, json_extract(outcome, '$.reason') AS reason FROM steps
WHERE run = ${RUN_OF} AND kind <> 'activation' AND pruned_at IS NULL AND (outcome IS NOT NULL OR outcome_sha256 IS NOT NULL)
ORDER BY ord LIMIT @limit`;

export const NAMED: NamedWords = {
  files: 'json_each(holder.attachments) AS file',
  digestOfFile: "json_extract(file.value, '$.sha256')",
  isAsked: (text) => `${text} IN (SELECT value FROM json_each(@digests))`,
  isFound: (text, query) => `${text} IN (${query})`,
};

export const DIGEST_LIST = 'json_each(@digests) AS d';

/** Those of a list that a row names. */
export const NAMED_OF = `SELECT d.value AS sha256 FROM ${DIGEST_LIST} WHERE ${isNamedBy(NAMED, 'd.value')}`;
