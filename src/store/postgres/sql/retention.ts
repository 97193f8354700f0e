import { isNamedBy, type NamedWords } from '../../sql/named.js';
import { pruneResult } from '../../sql/retention.js';

export const PRUNE_RESULT = pruneResult('steps', 'id = steps.job_id');

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

const isAmong = (text: string): string => `${text} = ANY(CAST(@digests AS TEXT[]))`;

/**
 * A name of a file cannot pass for a digest: JSON escapes its quotes. No JSON function: they refuse
 * a NUL, which a name may hold.
 */
export const NAMED: NamedWords = {
  files: `regexp_matches(holder.attachments, '"sha256":"([0-9a-f]+)"', 'g') AS file (found)`,
  digestOfFile: 'file.found[1]',
  isAsked: isAmong,
  isFound: (text, query) => `${text} = ANY(ARRAY(${query}))`,
};

export const DIGEST_LIST = 'unnest(CAST(@digests AS TEXT[])) AS d (value)';

/**
 * Those of a list that a row names. Never asked of a column with digests: those of `blobs` are
 * compared byte by byte, and the indexes of most of what names them are not.
 */
export const NAMED_OF = `SELECT d.value AS sha256 FROM ${DIGEST_LIST} WHERE ${isNamedBy(NAMED, 'd.value')}`;

/**
 * `put_at` is judged on each row as it is once it is locked: whoever puts the same bytes meanwhile
 * keeps them.
 */
export const REMOVE_BLOBS = `
DELETE FROM blobs WHERE ${isAmong('sha256')} AND put_at <= @before AND sha256 <> ALL(ARRAY(${NAMED_OF}))
RETURNING sha256, octet_length(bytes) AS bytes`;

/**
 * What is gone needs no further look. What a row still names does not either, and is noted again
 * when that row goes: one that was noted meanwhile stays.
 */
export const DROP_CANDIDATES = `
DELETE FROM blob_candidates WHERE ${isAmong('sha256')}
  AND (NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.sha256 = blob_candidates.sha256) OR since <= @before AND sha256 = ANY(ARRAY(${NAMED_OF})))`;
