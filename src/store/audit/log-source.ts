import type { EventRecord } from '../event-row.js';
import type { StoreMeta } from '../store-meta.js';

/** One event by what tells it from every other one at its place. */
export interface EventMark {
  readonly pos: number;
  readonly event_id: string;
  readonly hash: string;
}

/** What follows a position of the log. */
export interface LogSlice {
  /**
   * The newest event up to the position, which the copy must hold too; null = none is left there.
   */
  readonly last: EventMark | null;
  /** What comes after it, in the order of positions. */
  readonly records: readonly EventRecord[];
}

/** What lies after a position. */
export interface LogBehind {
  readonly events: number;
  /** ISO 8601, of the oldest; null = nothing lies there. */
  readonly oldest: string | null;
  /** The store's clock. */
  readonly now: string;
}

/** The log beside the runs, as it is copied from. */
export interface LogSource {
  /** Log id and cursor key go over to the copy, so a cursor of the one is one of the other. */
  readonly identity: StoreMeta;
  slice(afterPos: number, limit: number): Promise<LogSlice>;
  /** Counts up to `max`. */
  behind(afterPos: number, max: number): Promise<LogBehind>;
  waitForChange(timeoutMs: number, signal: AbortSignal): Promise<void>;
}
