/** How far the log that lies apart from the runs is behind them. */
export interface AuditLag {
  /**
   * Committed events that are not there yet, counted up to 100,000; null = not known: the database
   * of the log has not answered yet.
   */
  readonly events: number | null;
  /** Age of the oldest of them, in seconds; 0 when there is none, null as above. */
  readonly seconds: number | null;
  /** Why the log cannot be reached now; null = it can. Without a password. */
  readonly error: string | null;
}

/**
 * Whether everything that is to go is in the copy of the log (`storage.audit`), and how far that
 * is.
 */
export interface CopyState extends AuditLag {
  /** False: `prune` refuses, because the copy is too far behind or does not say how far. */
  readonly holdsAll: boolean;
}

/**
 * The log in a database of its own (`storage.audit`; docs/design/journal.md#log-copy). The database
 * of the runs holds every event in the commit of its fact and is what all readers read; from there
 * each event is copied, in the order of commits, with position, ids and chain as they are. A
 * database that is slow or gone makes the copy late and nothing else: what is missing is copied by
 * whichever process comes next.
 */
export interface AuditCopy {
  /** For messages; no password. */
  readonly location: string;
  /**
   * Copies in the background from now on until the stores are closed, which waits a few seconds for
   * the rest. Idempotent.
   */
  start(): void;
  /**
   * Throws KIT_STORE_UNAVAILABLE and KIT_STORE_NEWER for a database that answers and holds
   * something else. One that does not answer within a second is no reason to refuse anything.
   */
  check(): Promise<void>;
  /** Does not throw; answers within a few seconds. */
  lag(): Promise<AuditLag>;
}
