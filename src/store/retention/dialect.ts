import type { PrunedRun } from '../../domain/ports/retention.js';

/** A run that may go. */
export interface DueRun {
  readonly id: string;
  readonly ord: number;
  /** When it ended. */
  readonly at: string;
}

/**
 * Rows of some runs in a table, and what they take by the measure of the dialect. SQLite: 0, it
 * tells bytes by pages (`PruneTable`s alone).
 */
export interface TableShare {
  readonly rows: number;
  readonly bytes: number;
}

export type Shares = Readonly<Record<string, TableShare>>;

export interface RemovedSlice {
  readonly rows: Readonly<Record<string, number>>;
  /** False: more rows of the same runs are left. */
  readonly isDone: boolean;
  /** Runs that this slice took in for the first time. */
  readonly taken: number;
}

/**
 * Which pages of a table or index tell how many of them become free; only SQLite looks at pages.
 */
export type PageLook = { readonly kind: 'every' } | { readonly kind: 'first'; readonly pages: number };

/** How large a store is, and how far back it reaches. */
export interface StoreSize {
  readonly bytes: number;
  /** When the run with the lowest number was submitted; null = there is none. */
  readonly oldest: string | null;
}

/** What removing whole runs needs of one database. */
export interface RetentionDialect {
  /** Runs of one batch, small enough that a slice of them is a short write. */
  readonly batchRuns: number;
  now(): Promise<string>;
  due(page: {
    readonly before: string;
    readonly after: Pick<DueRun, 'at' | 'ord'>;
    readonly limit: number;
  }): Promise<readonly DueRun[]>;
  /**
   * How many runs had ended by then, whether they may go or not; no more than `limit` are counted,
   * in an index alone.
   */
  ended(before: string, limit: number): Promise<number>;
  /** Runs that an interrupted removal has begun with. */
  undone(limit: number): Promise<readonly string[]>;
  shares(ids: readonly string[]): Promise<Shares>;
  accessShare(before: string): Promise<TableShare>;
  /** Digests that rows of these runs name, once for each row that does. */
  digests(ids: readonly string[]): Promise<readonly string[]>;
  /**
   * Those that no row names but of runs that go and ended at `from` or later; null = of all runs
   * that go, and of those that an interrupted removal has begun with.
   */
  freed(of: {
    readonly digests: readonly string[];
    readonly before: string;
    readonly from: Pick<DueRun, 'at' | 'ord'> | null;
  }): Promise<readonly string[]>;
  /** Bytes of those that are there and that nobody has put since `before`. */
  blobBytes(digests: readonly string[], before: string): Promise<readonly number[]>;
  /**
   * Bytes of the database that become free with these rows; those that it takes now and will take
   * then.
   */
  databaseBytes(
    shares: Shares,
    going: { readonly runs: number; readonly before: string; readonly look: PageLook },
  ): Promise<{ readonly freed: number; readonly now: number; readonly after: number }>;
  /** Short reads alone. */
  size(): Promise<StoreSize>;
  removeSlice(slice: {
    readonly ids: readonly string[];
    readonly digests: readonly string[];
    readonly before: string;
  }): Promise<RemovedSlice>;
  /** Removes those that no row names; answers the bytes of each. */
  removeBlobs(digests: readonly string[], before: string): Promise<readonly number[]>;
  /** A slice of the lines before; 0 = none is left. */
  removeAccess(before: string): Promise<number>;
  /**
   * Indexes of knowledge bases that no run can search any more, and documents that none names;
   * `bytes` as in `Shares`.
   */
  idleKnowledge(
    before: string,
  ): Promise<{ readonly indexes: number; readonly documents: number; readonly bytes: number }>;
  removeIdleKnowledge(before: string): Promise<{ readonly indexes: number; readonly documents: number }>;
  /**
   * Bytes in use, by the measure of `databaseBytes.freed`: only the difference of two answers means
   * something.
   */
  usedBytes(): Promise<number>;
  /** Gives free pages back to the file system, as far as the database can. */
  reclaim(signal?: AbortSignal): Promise<void>;
  pruned(jobId: string): Promise<PrunedRun | null>;
}
