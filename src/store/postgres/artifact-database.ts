import { isKitError, KitError, messageOf } from '../../domain/errors.js';
import type { ArtifactBytes } from '../../domain/ports/artifacts.js';
import { createConnections } from './connections.js';
import { refusedAt } from './failures.js';
import { locationOf, type PostgresPlace } from './location.js';

import type { SqlRunner } from './sql-runner.js';

/** Apart from the schema of a store: a database of artifacts may hold runs of others as well. */
const ARTIFACTS_SCHEMA = 'kit_artifacts';

const HAS_ARTIFACT_BYTES = `SELECT to_regclass('${ARTIFACTS_SCHEMA}.bytes') IS NOT NULL AS there`;

const MAKE_ARTIFACT_BYTES = `
CREATE SCHEMA IF NOT EXISTS ${ARTIFACTS_SCHEMA};
CREATE TABLE IF NOT EXISTS ${ARTIFACTS_SCHEMA}.bytes (
  sha256 text PRIMARY KEY,
  bytes bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
)`;

const PUT_ARTIFACT_BYTES = `
INSERT INTO ${ARTIFACTS_SCHEMA}.bytes (sha256, bytes) VALUES (@sha256, @bytes) ON CONFLICT (sha256) DO NOTHING`;

const GET_ARTIFACT_BYTES = `SELECT bytes FROM ${ARTIFACTS_SCHEMA}.bytes WHERE sha256 = @sha256`;

/** Of the pool; two more are left to nobody here. */
const CONNECTIONS = 4;

/** Bytes of artifacts in a PostgreSQL database of their own. */
export interface ArtifactDatabase extends ArtifactBytes {
  close(): Promise<void>;
}

/**
 * Opens `storage.artifacts.database_url`. Bytes lie under their digest and are never changed or
 * removed: a worker whose lease is over may still put some, and nothing names them. Makes its table
 * with the first artifact. Throws KIT_STORE_UNAVAILABLE for a server that is not reached: the run
 * goes on when it is back.
 */
export async function openArtifactDatabase(place: PostgresPlace): Promise<ArtifactDatabase> {
  const connections = await createConnections({
    place,
    poolSize: 1,
    maxConnections: CONNECTIONS,
    schema: ARTIFACTS_SCHEMA,
  });
  const at = { location: `the database of artifacts (${locationOf(place)})`, setting: place.setting };
  let isMade = false;
  /** What is sent may be sent twice. */
  const use = async <T>(work: (sql: SqlRunner) => Promise<T>): Promise<T> => {
    try {
      return await connections.read(work);
    } catch (error) {
      // Whoever reads it has two databases or more: which one is away is the first question.
      if (isKitError(error)) throw refusedAt(error, at);
      throw new KitError('KIT_ARTIFACT_STORE', `the database of artifacts refused: ${messageOf(error)}`, {
        cause: error,
      });
    }
  };
  return {
    put: async (sha256, bytes) => {
      if (!isMade) await make(use);
      isMade = true;
      await use((sql) => sql.run(PUT_ARTIFACT_BYTES, { sha256, bytes }));
    },
    get: async (sha256) => {
      if (!isMade && !(await isThere(use))) return null;
      isMade = true;
      const row = await use((sql) => sql.get<{ bytes: Uint8Array }>(GET_ARTIFACT_BYTES, { sha256 }));
      return row === undefined ? null : new Uint8Array(row.bytes);
    },
    close: () => connections.close(),
  };
}

type Use = <T>(work: (sql: SqlRunner) => Promise<T>) => Promise<T>;

const isThere = (use: Use): Promise<boolean> =>
  use(async (sql) => (await sql.get<{ there: boolean }>(HAS_ARTIFACT_BYTES, {}))?.there === true);

/**
 * Who may not make anything finds what somebody has made; who makes it beside another one finds it
 * too.
 */
async function make(use: Use): Promise<void> {
  if (await isThere(use)) return;
  try {
    await use((sql) => sql.exec(MAKE_ARTIFACT_BYTES));
  } catch (error) {
    if (!(await isThere(use))) throw error;
  }
}
