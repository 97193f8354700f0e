import type { Fence } from '../job.js';

/** What is known of a stored artifact. */
export interface ArtifactRecord {
  /** `<correlation>/<run>/<name>`; segments percent-encode `/`, `%` and `#`. */
  readonly ref: string;
  /** Correlation id; the run id where the run has none. */
  readonly correlation: string;
  readonly runId: string;
  readonly name: string;
  /** SHA-256 hex of the bytes. */
  readonly sha256: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly createdAt: string;
}

/** A new version of an artifact. */
export interface NewArtifact extends Pick<ArtifactRecord, 'correlation' | 'runId' | 'name' | 'mediaType'> {
  readonly bytes: Uint8Array;
}

/** Which artifacts to list; every field given narrows the list. */
export interface ArtifactFilter {
  readonly correlation?: string;
  readonly runId?: string;
  readonly limit: number;
}

/**
 * Content-addressed artifacts by ref. A ref can have several versions, told apart by digest:
 * `ref#<12 hex>` names one, a bare ref the one that was first put last. Bytes are written before
 * the record that names them (docs/design/journal.md#blobs-first), and neither is ever removed.
 */
export interface ArtifactStore {
  /**
   * Stores the bytes once by digest and the record once by (ref, digest); a second put of the same
   * changes nothing, so that a step which is repeated after a crash does not make an older version
   * the newest. `fence`: of the claim that puts it; the record is written only while that holds, so
   * what a worker puts after its lease is named nowhere (docs/design/journal.md#fence). Absent:
   * nobody's run. Throws KIT_STORE_BUSY, KIT_ARTIFACT_STORE, KIT_LEASE_LOST.
   */
  put(artifact: NewArtifact, fence?: Fence): Promise<ArtifactRecord>;
  /**
   * By ref, with or without `#` and the first 12 to 64 characters of the digest; null when there is
   * none. Throws KIT_ARTIFACT_AMBIGUOUS where the digest fits several versions: which one was meant
   * is not guessed.
   */
  find(ref: string): Promise<ArtifactRecord | null>;
  /**
   * The bytes by full digest; null when they are not there. Throws KIT_ARTIFACT_CORRUPT when the
   * bytes have another digest, KIT_ARTIFACT_STORE.
   */
  read(sha256: string): Promise<Uint8Array | null>;
  /** Newest first. */
  list(filter: ArtifactFilter): Promise<readonly ArtifactRecord[]>;
}

/**
 * Keeps the bytes of artifacts outside the database: what a contribution of `artifactStores` is.
 * The records (ref, media type, order) stay in the database of the runs, so this is no more than a
 * map from digest to bytes. kit checks every digest on the way out.
 */
export interface ArtifactBytes {
  /**
   * Keeps the bytes under the SHA-256 that they have; returns once they are durable. Before that
   * nothing is to be seen of them, also when the process or the connection dies half-way. Putting
   * the same again changes nothing. Throws KIT_ARTIFACT_STORE.
   */
  put(sha256: string, bytes: Uint8Array): Promise<void>;
  /**
   * Null when nothing is kept under this digest; any other trouble throws KIT_ARTIFACT_STORE: "not
   * there" and "not to be had" are two things.
   */
  get(sha256: string): Promise<Uint8Array | null>;
}
