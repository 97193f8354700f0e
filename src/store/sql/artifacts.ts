/** Statements about artifacts, the same text in both dialects; named parameters. */

const COLUMNS = 'ref, correlation, run_id, name, sha256, media_type, size_bytes, created_at';

export const ADD_ARTIFACT = `
INSERT INTO artifacts (ref_key, correlation_key, ${COLUMNS})
VALUES (@ref_key, @correlation_key, @ref, @correlation, @run_id, @name, @sha256, @media_type, @size_bytes, @now)
ON CONFLICT (ref_key, sha256) DO NOTHING`;

export const GET_ARTIFACT = `SELECT ${COLUMNS} FROM artifacts WHERE ref_key = @ref_key AND sha256 = @sha256`;

export const NEWEST_ARTIFACT = `SELECT ${COLUMNS} FROM artifacts WHERE ref_key = @ref_key ORDER BY ord DESC LIMIT 1`;

/** Two at most: a second one makes the digest ambiguous. */
export const ARTIFACTS_BY_DIGEST = `
SELECT ${COLUMNS} FROM artifacts WHERE ref_key = @ref_key AND substr(sha256, 1, @chars) = @digest ORDER BY ord DESC LIMIT 2`;

/** A statement for each combination of filters, so that each can use its index. */
export const LIST_ARTIFACTS = {
  all: `SELECT ${COLUMNS} FROM artifacts ORDER BY ord DESC LIMIT @limit`,
  correlation: `SELECT ${COLUMNS} FROM artifacts WHERE correlation_key = @correlation_key ORDER BY ord DESC LIMIT @limit`,
  run: `SELECT ${COLUMNS} FROM artifacts WHERE run_id = @run_id ORDER BY ord DESC LIMIT @limit`,
  both: `SELECT ${COLUMNS} FROM artifacts WHERE run_id = @run_id AND correlation_key = @correlation_key ORDER BY ord DESC LIMIT @limit`,
} as const;
