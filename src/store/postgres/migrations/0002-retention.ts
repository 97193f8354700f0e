/**
 * What is kept of a run for how long (docs/design/journal.md#retention); the notes stand beside the
 * text of the other dialect.
 */
export const RETENTION = `
ALTER TABLE jobs ADD COLUMN pruned_at TEXT COLLATE "C";
ALTER TABLE steps ADD COLUMN pruned_at TEXT COLLATE "C";
CREATE TABLE blob_candidates (
  sha256 TEXT COLLATE "C" PRIMARY KEY,
  since TEXT COLLATE "C" NOT NULL
);
CREATE INDEX jobs_to_prune ON jobs (completed_at) WHERE status IN ('completed', 'failed') AND pruned_at IS NULL;
CREATE INDEX jobs_by_snapshot ON jobs (snapshot);
CREATE INDEX jobs_by_diffs ON jobs (diffs_sha256) WHERE diffs_sha256 IS NOT NULL;
CREATE INDEX jobs_with_attachments ON jobs (ord) WHERE attachments <> '[]';
CREATE INDEX steps_by_blob ON steps (outcome_sha256) WHERE outcome_sha256 IS NOT NULL;
CREATE INDEX blob_candidates_due ON blob_candidates (since);
`;
