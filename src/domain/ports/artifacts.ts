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
export interface NewArtifact {
  readonly correlation: string;
  readonly runId: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/**
 * Content-addressed artifacts by ref. A ref can have several versions, told apart by digest: `ref#<12 hex>` names one, a bare ref the newest.
 * Bytes are written before the record that names them (journal.md 6.2).
 */
export interface ArtifactStore {
  /** Stores the bytes once by digest and the record once by (ref, digest); a second put of the same changes nothing. */
  put(artifact: NewArtifact): Promise<ArtifactRecord>;
  /** By ref, with or without `#<12 hex>`; null when there is none. */
  find(ref: string): Promise<ArtifactRecord | null>;
  /** The bytes by full digest; null when they are not there. A digest that does not fit its bytes is KIT_ARTIFACT_CORRUPT. */
  read(sha256: string): Promise<Uint8Array | null>;
  /** Newest first. */
  list(filter: { readonly correlation?: string; readonly runId?: string; readonly limit: number }): Promise<readonly ArtifactRecord[]>;
}
