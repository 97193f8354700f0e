import { type ArtifactRecords, addArtifact, artifactReads } from '../artifact-row.js';
import { runNow } from '../program.js';
import { leaseLost } from '../refusals.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { sqlitePrograms } from './programs.js';
import { CHECK_FENCE } from './sql/jobs.js';

/** Records of artifacts in SQLite. */
export const createSqliteArtifactRecords = (deps: SqliteDeps): ArtifactRecords => ({
  ...artifactReads(sqlitePrograms(deps)),
  add: (row, fence) =>
    deps.queue.run(['artifact.put'], (sql) => {
      if (fence !== undefined && sql.get(CHECK_FENCE, { ...fence }) === undefined) throw leaseLost(fence);
      return runNow(sql, addArtifact(row, isoAt(deps.clock.now())));
    }),
});
