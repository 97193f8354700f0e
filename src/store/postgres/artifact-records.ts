import type { Fence } from '../../domain/job.js';
import type { ArtifactFilter } from '../../domain/ports/artifacts.js';
import { type ArtifactRecords, type ArtifactRow, listStatement, type NewArtifactRow } from '../artifact-row.js';
import { leaseLost } from '../refusals.js';
import { ADD_ARTIFACT, ARTIFACTS_BY_DIGEST, GET_ARTIFACT, NEWEST_ARTIFACT } from '../sql/artifacts.js';
import type { PostgresDeps } from './deps.js';
import type { Transaction } from './transaction.js';

/** Records of artifacts in PostgreSQL. */
export class PostgresArtifactRecords implements ArtifactRecords {
  readonly #deps: PostgresDeps;

  constructor(deps: PostgresDeps) {
    this.#deps = deps;
  }

  add(row: NewArtifactRow, fence?: Fence): Promise<ArtifactRow> {
    const work = async (tx: Transaction): Promise<ArtifactRow> => {
      if (fence !== undefined && (await tx.fenced(fence)) === undefined) throw leaseLost(fence);
      await tx.run(ADD_ARTIFACT, { ...row, now: tx.now });
      const added = await tx.get<ArtifactRow>(GET_ARTIFACT, { ref_key: row.ref_key, sha256: row.sha256 });
      if (added === undefined) throw new Error(`artifact ${row.ref} came back empty`);
      return added;
    };
    return this.#deps.queue.run({ writes: ['artifact.put'], jobs: fence === undefined ? [] : [fence.jobId], work });
  }

  newest(refKey: string): Promise<ArtifactRow | null> {
    return this.#deps.read(async (sql) => (await sql.get<ArtifactRow>(NEWEST_ARTIFACT, { ref_key: refKey })) ?? null);
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
