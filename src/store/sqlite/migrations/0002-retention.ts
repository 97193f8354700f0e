/**
 * What is kept of a run for how long (docs/design/journal.md#retention). Notes on what is not
 * obvious:
 * - a pruned step keeps an outcome (its status and reason), so that every "in doubt" condition
 *   stays as it was.
 * - `blob_candidates`: blobs that a pruned row named. Whether another row names them is looked up
 *   when they are collected; the indexes below are for that.
 */
export const RETENTION = `
ALTER TABLE jobs ADD COLUMN pruned_at TEXT;
ALTER TABLE steps ADD COLUMN pruned_at TEXT;
CREATE TABLE blob_candidates (
  sha256 TEXT PRIMARY KEY,
  since TEXT NOT NULL
) STRICT;
CREATE INDEX jobs_to_prune ON jobs (completed_at) WHERE status IN ('completed', 'failed') AND pruned_at IS NULL;
CREATE INDEX jobs_by_snapshot ON jobs (snapshot);
CREATE INDEX jobs_by_diffs ON jobs (diffs_sha256) WHERE diffs_sha256 IS NOT NULL;
CREATE INDEX jobs_with_attachments ON jobs (ord) WHERE attachments <> '[]';
CREATE INDEX steps_by_blob ON steps (outcome_sha256) WHERE outcome_sha256 IS NOT NULL;
CREATE INDEX blob_candidates_due ON blob_candidates (since);
`;
