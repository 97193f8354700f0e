/** What a worker must have to claim the job (docs/design/journal.md#engine-and-needs). */
export interface JobNeeds {
  /** Plugin name -> semver range of the plugin package. */
  readonly plugins: Readonly<Record<string, string>>;
  /** Adapter id -> digest of its launch-relevant spec. */
  readonly adapters: Readonly<Record<string, string>>;
  /**
   * Set for a replay: digest of the cassette that answers it. No other process offers one, so
   * nobody goes on with it in earnest.
   */
  readonly cassette?: string;
  /** Id of the workspace: several may share one store. Absent in rows of earlier versions. */
  readonly workspace?: string;
  /**
   * What the run refers to where it is executed, by name and never by value: `variable:LOCAL_KEY`,
   * `credential:deploy`, `program:git` -> who uses it. Absent: nothing, and rows of earlier
   * versions.
   */
  readonly references?: Readonly<Record<string, string>>;
  /**
   * Directories in which sessions of the run wait, with their worktrees: the id that lies there ->
   * `host:directory`, for people. Absent: it has none, or could do without.
   */
  readonly worktrees?: Readonly<Record<string, string>>;
}

/** The same, of a run whose sessions begin anew. */
export function withoutWorktrees({ worktrees: _left, ...needs }: JobNeeds): JobNeeds {
  return needs;
}

/** What a process can offer to a job: the other side of `JobNeeds`, looked up when it claims. */
export interface JobOffers {
  /** Plugin name -> version of the plugin package, for every plugin that works here. */
  readonly plugins: Readonly<Record<string, string>>;
  /**
   * The same of what was asked for, does not work here, and would after a start: it was installed
   * or updated since. Absent: nothing.
   */
  readonly pluginsSince?: Readonly<Record<string, string>>;
  /** Adapter id -> digest of its launch-relevant spec, as the workspace has it now. */
  readonly adapters: Readonly<Record<string, string>>;
  /** Digest of the cassette that this process replays. */
  readonly cassette?: string;
  /** Id of the workspace that this process works for; absent = not compared. */
  readonly workspace?: string;
  /**
   * References that were asked for and that something is behind here; absent = not compared, as of
   * processes of earlier versions.
   */
  readonly references?: readonly string[];
  /** Ids of the directories of worktrees that are here; absent = not compared. */
  readonly worktrees?: readonly string[];
}
