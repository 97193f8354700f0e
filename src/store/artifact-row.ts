import { artifactRef } from '../domain/artifact-ref.js';
import { KitError } from '../domain/errors.js';
import type { Fence } from '../domain/job.js';
import type { ArtifactFilter, ArtifactRecord, NewArtifact } from '../domain/ports/artifacts.js';
import { sha256Hex } from '../lib/sha256.js';
import { type RowOf, tableOf } from './columns.js';
import { all, get, type Program, type Programs, run } from './program.js';
import { ADD_ARTIFACT, ARTIFACTS_BY_DIGEST, GET_ARTIFACT, LIST_ARTIFACTS, NEWEST_ARTIFACT } from './sql/artifacts.js';

/** A row of the table `artifacts`, as its statements name it. */
export const ARTIFACTS = tableOf<ArtifactRecord>('artifacts', {
  ref: 'plain',
  correlation: 'plain',
  run_id: 'plain',
  name: 'plain',
  sha256: 'plain',
  media_type: 'plain',
  size_bytes: 'plain',
  created_at: 'plain',
});
export type ArtifactRow = RowOf<ArtifactRecord>;

export type NewArtifactRow = Omit<ArtifactRow, 'created_at'> & {
  readonly ref_key: string;
  readonly correlation_key: string;
};

/** What each database does for artifacts: their records alone. */
export interface ArtifactRecords {
  /**
   * Adds the row unless this version of the ref is there; answers the row that is there then.
   * `fence`: KIT_LEASE_LOST where it does not hold in the same transaction.
   */
  add(row: NewArtifactRow, fence?: Fence): Promise<ArtifactRow>;
  newest(refKey: string): Promise<ArtifactRow | null>;
  /** Versions whose digest begins with this; at most two. */
  byDigest(refKey: string, digest: string): Promise<readonly ArtifactRow[]>;
  list(filter: ArtifactFilter): Promise<readonly ArtifactRow[]>;
}

export const artifactReads = ({ read }: Pick<Programs, 'read'>): Omit<ArtifactRecords, 'add'> => ({
  newest: async (refKey) => (await read(() => get<ArtifactRow>(NEWEST_ARTIFACT, { ref_key: refKey }))) ?? null,
  byDigest: (refKey, digest) =>
    read(() => all<ArtifactRow>(ARTIFACTS_BY_DIGEST, { ref_key: refKey, digest, chars: digest.length })),
  list: (filter) => {
    const { sql, params } = listStatement(filter);
    return read(() => all<ArtifactRow>(sql, params));
  },
});

/** See `ArtifactRecords.add`; the fence holds. */
export function* addArtifact(row: NewArtifactRow, now: string): Program<ArtifactRow> {
  yield* run(ADD_ARTIFACT, { ...row, now });
  const added = yield* get<ArtifactRow>(GET_ARTIFACT, { ref_key: row.ref_key, sha256: row.sha256 });
  if (added === undefined) throw new Error(`artifact ${row.ref} came back empty`);
  return added;
}

/** What an index holds of a text that people choose. */
export const keyOf = (text: string): string => sha256Hex(text);

/** A run without a correlation id is its own. */
export function encodeArtifact(artifact: NewArtifact, sha256: string): NewArtifactRow {
  const { runId, name, mediaType, bytes } = artifact;
  if (runId === '' || name === '') throw new KitError('KIT_INTERNAL', 'an artifact needs a run and a name');
  const correlation = artifact.correlation || runId;
  const ref = artifactRef({ correlation, runId, name });
  return {
    ref_key: keyOf(ref),
    ref,
    correlation_key: keyOf(correlation),
    correlation,
    run_id: runId,
    name,
    sha256,
    media_type: mediaType,
    size_bytes: bytes.byteLength,
  };
}

/** The statement of a filter, with its parameters. */
function listStatement(filter: ArtifactFilter): {
  readonly sql: string;
  readonly params: Readonly<Record<string, string | number>>;
} {
  const run_id = filter.runId;
  const correlation_key = filter.correlation === undefined ? undefined : keyOf(filter.correlation);
  const { limit } = filter;
  if (correlation_key !== undefined && run_id !== undefined)
    return { sql: LIST_ARTIFACTS.both, params: { correlation_key, run_id, limit } };
  if (correlation_key !== undefined) return { sql: LIST_ARTIFACTS.correlation, params: { correlation_key, limit } };
  if (run_id !== undefined) return { sql: LIST_ARTIFACTS.run, params: { run_id, limit } };
  return { sql: LIST_ARTIFACTS.all, params: { limit } };
}
