/** The directory in which a worktree lies, for who looks for it from elsewhere. */
export interface WorktreesHome {
  /** Lies in the directory itself: who has the directory has the id. */
  readonly id: string;
  /** `host:directory`, for people. */
  readonly at: string;
}

/** A throw-away git worktree for one harness agent. */
export interface Worktree {
  readonly path: string;
  readonly baseCommit: string;
  /**
   * Workspace-relative untracked files that were not carried over, and submodules, whose
   * directories are empty.
   */
  readonly notIncluded: readonly string[];
  /**
   * Path of a private folder beside it, for what a program keeps of its session. Nobody has made it
   * yet; it goes with the worktree. Absent: there is no place for one.
   */
  readonly companion?: string;
  /** Absent: it lies among files that do not last. */
  readonly home?: WorktreesHome;
  /**
   * Unified diff against the starting state (HEAD plus the carried changes); '' = nothing changed.
   * `media` tells of images, sounds, films and PDF documents alone, by their names. Default: every
   * file.
   */
  diff(of?: 'files' | 'media'): Promise<string>;
  remove(): Promise<void>;
}

/** What of a repository somebody is shown who only reads. */
export interface TreeView {
  /**
   * Files and folders of the commit, relative to the top of the repository; [] = none of them. What
   * does not exist is left out.
   */
  readonly paths: readonly string[];
  /** Files laid beside them in the workspace's directory: relative path -> text. */
  readonly files: Readonly<Record<string, string>>;
}

/** What a worktree is made from. */
export interface WorktreeRequest {
  readonly repository: string;
  /** Carry the user's uncommitted changes of tracked files into the worktree. */
  readonly includeUncommitted: boolean;
  /**
   * The run that the worktree is for; recorded, so that what a crash leaves behind can be told from
   * what is still wanted.
   */
  readonly jobId?: string;
  /** Ignored folders to link in by symlink (`node_modules`), relative to the repository. */
  readonly link: readonly string[];
  /** Key of the step that will work in it. Told to recorders alone. */
  readonly stepKey?: string;
  /**
   * Only this part of the commit, without git's own files: no history, no other branch. Uncommitted
   * changes are then not carried and no folder is linked. `diff()` tells what was changed of it.
   */
  readonly view?: TreeView;
}

/** Makes and finds the directories in which harness agents work. */
export interface Worktrees {
  /**
   * Throws KIT_SANDBOX_UNAVAILABLE: no git, no repository, no commit, a view that leaves the tree.
   * Never writes the user's own tree.
   */
  create(request: WorktreeRequest): Promise<Worktree>;
  /** Opens one that a crashed attempt left on this host; null when it is gone. */
  reopen(path: string, baseCommit: string): Promise<Worktree | null>;
}
