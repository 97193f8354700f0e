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

/**
 * How a plan is made. `estimate`: the runs that go are counted, and what they hold is told by a
 * sample of them, within seconds whatever the store holds. `exact`: every row that goes is counted,
 * and in SQLite every page of its table is looked at.
 */
export type PlanMethod = 'estimate' | 'exact';

/** What a dry run says. */
export interface AuditPlan extends AuditRemoval {
  /**
   * `estimate`: `runs`, `oldest` and `newest` are as they are; everything else is about that much.
   */
  readonly method: PlanMethod;
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

/** How large and how old a store is, and what is due in it. */
export interface StoreGrowth {
  /** Of the database beside the blobs. SQLite: its file. PostgreSQL: tables and indexes on disk. */
  readonly bytes: number;
  /** When the oldest run that is there was submitted; null without runs. */
  readonly oldestRun: string | null;
  readonly due: DueAudit;
}

/** What is old enough to go. */
export interface DueAudit {
  /**
   * Runs; no more than 10,000 are counted. Of more than 500 it is how many ended so long ago: a
   * few of them may have to stay.
   */
  readonly runs: number;
  /** There are more. */
  readonly isMore: boolean;
  /** About what those runs take of the database, by a few of them. */
  readonly bytes: number;
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
  plan(age: AuditAge, method: PlanMethod): Promise<AuditPlan>;
  /**
   * Removes it, in short writes; whatever an interrupted call has begun is finished first. Rejects
   * with the signal's reason between two of its reads or writes once that is aborted.
   */
  prune(age: AuditAge, onProgress: PruneProgress, signal?: AbortSignal): Promise<AuditRemoval>;
  /** A few short reads, however large the store is. */
  growth(age: AuditAge): Promise<StoreGrowth>;
  /** By full id; null for a run that is there, or never was. */
  pruned(jobId: string): Promise<PrunedRun | null>;
}
