import type { StoreMeta } from '../store-meta.js';
import type { LogSource } from './log-source.js';

/**
 * What one try came to. `copied`: everything up to `mark` is there, `events` of it by this try, and
 * `hasMore` says that a full page was; `busy`: another process copies; `unread`: the database of
 * the runs did not answer.
 */
export type CopyStep =
  | { readonly kind: 'copied'; readonly mark: number; readonly events: number; readonly hasMore: boolean }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unread' };

/** The database that the log is copied to. */
export interface LogTarget {
  readonly location: string;
  /**
   * The position up to which everything is there; writes nothing. Throws what reaching it throws,
   * KIT_STORE_* for one that can hold no copy.
   */
  mark(identity: StoreMeta): Promise<number>;
  /** One page, in one commit. Throws as `mark`. */
  copy(source: LogSource): Promise<CopyStep>;
  /** True for trouble that may end by itself: a server that is gone, or starts. */
  isPassing(error: unknown): boolean;
  close(): Promise<void>;
}
