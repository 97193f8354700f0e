import type { Fence } from '../../domain/job.js';
import type { ArtifactFilter } from '../../domain/ports/artifacts.js';
import { type ArtifactRecords, type ArtifactRow, listStatement, type NewArtifactRow } from '../artifact-row.js';
import { leaseLost } from '../refusals.js';
import { ADD_ARTIFACT, ARTIFACTS_BY_DIGEST, GET_ARTIFACT, NEWEST_ARTIFACT } from '../sql/artifacts.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { CHECK_FENCE } from './sql/jobs.js';

/** Records of artifacts in SQLite. */
export class SqliteArtifactRecords implements ArtifactRecords {
  readonly #deps: SqliteDeps;

  constructor(deps: SqliteDeps) {
    this.#deps = deps;
  }

  add(row: NewArtifactRow, fence?: Fence): Promise<ArtifactRow> {
    return this.#deps.queue.run(['artifact.put'], (sql) => {
      if (fence !== undefined && sql.get(CHECK_FENCE, { ...fence }) === undefined) throw leaseLost(fence);
      sql.run(ADD_ARTIFACT, { ...row, now: isoAt(this.#deps.clock.now()) });
      const added = sql.get<ArtifactRow>(GET_ARTIFACT, { ref_key: row.ref_key, sha256: row.sha256 });
      if (added === undefined) throw new Error(`artifact ${row.ref} came back empty`);
      return added;
    });
  }

  newest(refKey: string): Promise<ArtifactRow | null> {
    return this.#deps.read((sql) => sql.get<ArtifactRow>(NEWEST_ARTIFACT, { ref_key: refKey }) ?? null);
  }

  byDigest(refKey: string, digest: string): Promise<readonly ArtifactRow[]> {
    return this.#deps.read((sql) =>
      sql.all<ArtifactRow>(ARTIFACTS_BY_DIGEST, { ref_key: refKey, digest, chars: digest.length }),
    );
  }

  list(filter: ArtifactFilter): Promise<readonly ArtifactRow[]> {
    const { sql: text, params } = listStatement(filter);
    return this.#deps.read((sql) => sql.all<ArtifactRow>(text, params));
  }
}
