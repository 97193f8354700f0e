import type { JsonObject } from './json.js';

/**
 * One block of `storage` as it was written; `url` still holds `${VAR}` and is resolved when the
 * store is opened (docs/design/journal.md#references).
 */
export interface StorageBlock {
  /** Null: the block names none. */
  readonly backend: 'sqlite' | 'postgres' | null;
  readonly url: string | null;
  /** `checkpoints` alone: the SQLite file, as it was written. */
  readonly path?: string;
}

/**
 * `storage.artifacts` as it was written; a URL and the configuration of a plugin still hold
 * `${VAR}`.
 */
export type ArtifactsBlock =
  | {
      readonly kind: 'database';
      /** Null: the engine of the runs. */
      readonly backend: 'sqlite' | 'postgres' | null;
      readonly url: string | null;
    }
  | {
      readonly kind: 'plugin';
      /** Id or name of a contribution to `artifactStores`. */
      readonly plugin: string;
      readonly config: JsonObject;
    };

/** Where a workspace keeps its runs; null = the block is absent. */
export interface StorageSettings {
  readonly runtime: StorageBlock | null;
  readonly checkpoints: StorageBlock | null;
  readonly audit: StorageBlock | null;
  readonly artifacts: ArtifactsBlock | null;
  /** Resolved and shown (`kit storage status`): memory lies with the runs. */
  readonly memory: StorageBlock | null;
  /** The same. */
  readonly fleet: StorageBlock | null;
  /**
   * `knowledge_bases.default_backend`: the engine that indexes have to lie in, which is that of the
   * runs.
   */
  readonly knowledgeBases: 'sqlite' | 'postgres' | null;
}
