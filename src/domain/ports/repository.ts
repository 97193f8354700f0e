/** One unified diff with the commit that it was taken against. */
export interface Patch {
  /** Whose it is, for messages. */
  readonly label: string;
  readonly diff: string;
  /** Null = nobody knows. */
  readonly baseCommit: string | null;
}

/**
 * Where changes go: what lies in the working tree now, or a new branch from the first base commit.
 */
export type ApplyTarget =
  | { readonly kind: 'working-tree' }
  | { readonly kind: 'branch'; readonly name: string; readonly message: string };

/** A path that would be written. */
export interface WrittenPath {
  /** Relative to the top of the repository. */
  readonly path: string;
  readonly change: 'added' | 'deleted' | 'changed';
  /** Where a new or changed symbolic link leads; null = it is none. */
  readonly linkTo: string | null;
}

/** Changes put together with what is there, of which nothing is written yet. */
export type MergedPatches =
  | {
      readonly kind: 'merged';
      /** Top level of the repository. */
      readonly topLevel: string;
      /** [] = all of it is there already. */
      readonly paths: readonly WrittenPath[];
      /** Base commits that the repository does not have: no third way for those diffs. */
      readonly missingBases: readonly string[];
      /** Writes all or none; answers the new commit of a branch. Throws KIT_APPLY_CONFLICT. */
      write(): Promise<{ readonly commit: string | null }>;
      /** Removes what was made to find out. Idempotent. */
      discard(): Promise<void>;
    }
  | {
      readonly kind: 'conflict';
      /** Label of the patch that does not fit. */
      readonly label: string;
      readonly paths: readonly string[];
      /** The last lines that git said. */
      readonly detail: string;
      readonly missingBases: readonly string[];
    };

/** Writing changes of runs into the user's own repository. */
export interface RepositoryChanges {
  /**
   * Merges patches, in their order, with the working tree or with their base commit, beside the
   * repository. Throws KIT_SANDBOX_UNAVAILABLE (no git, no repository) and KIT_APPLY_REFUSED (a
   * merge is going on, the branch exists, no base commit for a branch).
   */
  merge(request: {
    /** Any directory in the repository. */
    readonly repository: string;
    readonly patches: readonly Patch[];
    readonly onto: ApplyTarget;
  }): Promise<MergedPatches>;
}
