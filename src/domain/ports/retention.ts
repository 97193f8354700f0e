/** Which runs and lines are old enough to go. */
export interface AuditAge {
  /**
   * Full days since a run ended (a stopped one: since it was stopped), and since a line of the
   * access log was written; by the store's clock.
   */
  readonly olderThanDays: number;
}

/** What a removal takes, before it or after it. */
export interface AuditRemoval {
  /** ISO 8601: what ended then or earlier goes. */
  readonly endedBefore: string;
  readonly runs: number;
  /** When the first and the last of them ended; null without runs. */
  readonly oldest: string | null;
  readonly newest: string | null;
  /**
   * Rows by table, `events` and `serve_access` (the access log) among them; tables without a row
   * are named with 0.
   */
  readonly rows: Readonly<Record<string, number>>;
  /** Large results, snapshots, diffs, attachments and artifacts that no other row names. */
  readonly blobs: number;
  /**
   * What becomes free: `database` beside the blobs, net of what is kept of each run; `blobs` in
   * files or in the table of blobs.
   */
  readonly bytes: { readonly database: number; readonly blobs: number };
}

/** What a dry run says. */
export interface AuditPlan extends AuditRemoval {
  /**
   * The database now and afterwards, beside the blobs. SQLite: pages that hold something.
   * PostgreSQL: tables and indexes on disk, which do not become smaller by themselves; later rows
   * take the room.
   */
  readonly databaseBytes: { readonly now: number; readonly after: number };
}

/** What is kept of a run that was removed. */
export interface PrunedRun {
  readonly jobId: string;
  readonly topology: string;
  readonly status: string;
  /**
   * The end of its chain in the log: number and digest of its last event, and how many there were.
   */
  readonly lastSeq: number;
  readonly lastHash: string;
  readonly eventCount: number;
  readonly endedAt: string;
  readonly prunedAt: string;
  /** SHA-256 over all of the above, as canonical JSON. */
  readonly digest: string;
}

/** How far a removal is. */
export type PruneProgress = (done: { readonly runs: number; readonly of: number }) => void;

/**
 * `storage.audit.retention_days`: the only thing that removes audit. Whole runs go, with everything
 * that belongs to them: completed and failed ones, and stopped ones, which nobody went on with for
 * so long. A run with an open gate or item stays, whatever its age, and so do the run that was
 * submitted last and the one of the newest event, so that no number is given twice.
 */
export interface RetentionStore {
  /**
   * What `prune` would remove now; writes nothing. Blobs that somebody put within the last day are
   * left out, here and there.
   */
  plan(age: AuditAge): Promise<AuditPlan>;
  /** Removes it, in short writes; whatever an interrupted call has begun is finished first. */
  prune(age: AuditAge, onProgress: PruneProgress): Promise<AuditRemoval>;
  /** Runs that are old enough; cheap. */
  due(age: AuditAge): Promise<number>;
  /** By full id; null for a run that is there, or never was. */
  pruned(jobId: string): Promise<PrunedRun | null>;
}
