/** One table of a store that moves. */
export interface MoveTable {
  readonly table: string;
  /** Rows of the source. */
  readonly rows: number;
  /** Rows that an earlier, interrupted move has already copied. */
  readonly there: number;
  readonly toCopy: number;
  /** Bytes of the values of all rows of the source; of blobs, of their files. */
  readonly bytes: number;
}

/** A login that stays where it is: what it is sealed with belongs to its store. */
export interface LeftLogin {
  readonly credential: string;
  readonly owner: string;
}

/** What a move would do. */
export interface MovePlan {
  /** Path of the SQLite file, and URL of the server without its password. */
  readonly source: string;
  readonly target: string;
  /** `begun`: an interrupted move goes on; `done`: everything is there already. */
  readonly state: 'new' | 'begun' | 'done';
  readonly tables: readonly MoveTable[];
  /** Logins that are made anew afterwards. */
  readonly leftLogins: readonly LeftLogin[];
}

/** One table after the move: the same count and digest on both sides. */
export interface MovedTable {
  readonly table: string;
  readonly rows: number;
  /** Rows that this call copied. */
  readonly copied: number;
  /** SHA-256 over the rows in the order of their key, hex. */
  readonly digest: string;
}

/** What a move did. */
export interface MoveReport {
  readonly source: string;
  readonly target: string;
  readonly tables: readonly MovedTable[];
  /** Logins that are made anew now. */
  readonly leftLogins: readonly LeftLogin[];
  /** Identity columns, as `table.column`, and the number that the next row gets. */
  readonly sequences: Readonly<Record<string, number>>;
}

/** How far a move is; rows of all tables, blobs counted as rows. */
export type MoveProgress = (at: {
  readonly doing: 'copy' | 'verify';
  readonly table: string;
  readonly rows: number;
  readonly of: number;
}) => void;

/**
 * A SQLite store and the empty PostgreSQL database that it moves to. The SQLite files are read and
 * nothing else.
 */
export interface StoreMove {
  /**
   * Looks at both sides and writes nothing. Throws KIT_MIGRATE_SOURCE (no store, a run that is
   * being executed, a server or worker that lives), KIT_MIGRATE_TARGET (rows of another store, rows
   * that were changed since, a server or worker that lives), KIT_STORE_NEWER,
   * KIT_STORE_UNAVAILABLE.
   */
  plan(): Promise<MovePlan>;
  /**
   * Copies what is not there, in short transactions, each with a mark from which an interrupted
   * call goes on; then reads both sides again and compares them. Until that is done no kit opens
   * the target. Throws also KIT_MIGRATE_MISMATCH.
   */
  copy(onProgress: MoveProgress): Promise<MoveReport>;
  close(): Promise<void>;
}
