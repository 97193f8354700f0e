/** Apart from the schema of a store: a database of artifacts may hold runs of others as well. */
export const ARTIFACTS_SCHEMA = 'kit_artifacts';

export const HAS_ARTIFACT_BYTES = `SELECT to_regclass('${ARTIFACTS_SCHEMA}.bytes') IS NOT NULL AS there`;

export const MAKE_ARTIFACT_BYTES = `
CREATE SCHEMA IF NOT EXISTS ${ARTIFACTS_SCHEMA};
CREATE TABLE IF NOT EXISTS ${ARTIFACTS_SCHEMA}.bytes (
  sha256 text PRIMARY KEY,
  bytes bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
)`;

export const PUT_ARTIFACT_BYTES = `
INSERT INTO ${ARTIFACTS_SCHEMA}.bytes (sha256, bytes) VALUES (@sha256, @bytes) ON CONFLICT (sha256) DO NOTHING`;

export const GET_ARTIFACT_BYTES = `SELECT bytes FROM ${ARTIFACTS_SCHEMA}.bytes WHERE sha256 = @sha256`;
