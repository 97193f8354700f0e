/**
 * Artifacts: what is known of each version. Notes on what is not obvious:
 * - `ref_key`, `correlation_key`: SHA-256 of the text. People choose it, and an entry of a sorted
 *   index is bounded in PostgreSQL.
 * - `ord`: order of the first put. Versions of one ref can bear the same time.
 * - the bytes lie in the blobs, or where `storage.artifacts` says; a blob that is named here is
 *   never collected.
 */
export const ARTIFACTS = `
CREATE TABLE artifacts (
  ord INTEGER PRIMARY KEY,
  ref_key TEXT NOT NULL,
  ref TEXT NOT NULL,
  correlation_key TEXT NOT NULL,
  correlation TEXT NOT NULL,
  run_id TEXT NOT NULL,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  media_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (ref_key, sha256)
) STRICT;
CREATE INDEX artifacts_by_ref ON artifacts (ref_key, ord);
CREATE INDEX artifacts_by_correlation ON artifacts (correlation_key, ord);
CREATE INDEX artifacts_by_run ON artifacts (run_id, ord);
CREATE INDEX artifacts_by_blob ON artifacts (sha256);
`;
