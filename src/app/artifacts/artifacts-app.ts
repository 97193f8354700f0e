import type { ArtifactRecord } from '../../domain/ports/artifacts.js';

/** Which artifacts to list, newest first; every field given narrows the list. */
export interface ListArtifacts {
  /** Absolute directory of the workspace. */
  readonly workspace: string;
  /** Null = of every correlation. */
  readonly correlation: string | null;
  /** Run id or a unique prefix; null = of every run. */
  readonly run: string | null;
  /** At most so many. */
  readonly limit: number;
}

/** Which artifact to get. */
export interface GetArtifact {
  readonly workspace: string;
  /**
   * `<correlation>/<run>/<name>`, with or without `#` and the first 12 to 64 characters of its
   * digest. Without: the newest version.
   */
  readonly ref: string;
}

/** An artifact with its bytes, which have the digest of the record. */
export interface FoundArtifact {
  readonly record: ArtifactRecord;
  readonly bytes: Uint8Array;
}

/**
 * What is done with artifacts of runs; nothing here writes, and none of it reads the YAML of a
 * workspace beyond `storage`.
 */
export interface ArtifactsApp {
  /**
   * [] where nothing was ever run. Throws KIT_WORKSPACE_NOT_FOUND, KIT_JOB_UNKNOWN,
   * KIT_JOB_ID_AMBIGUOUS.
   */
  list(ask: ListArtifacts): Promise<readonly ArtifactRecord[]>;
  /**
   * Throws KIT_WORKSPACE_NOT_FOUND, KIT_ARTIFACT_UNKNOWN, KIT_ARTIFACT_AMBIGUOUS,
   * KIT_ARTIFACT_CORRUPT (also for bytes that are gone), KIT_ARTIFACT_STORE.
   */
  get(ask: GetArtifact): Promise<FoundArtifact>;
}
