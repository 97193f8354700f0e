import type { EventType, RunEvent, StoredEvent } from '../events.js';

/**
 * A page of the log to read, in the order of commits; without a filter all events, without `after`
 * from the start.
 */
export interface EventQuery {
  /**
   * Opaque cursor; events strictly after it. Throws KIT_CURSOR_INVALID for one this store did not
   * issue.
   */
  readonly after?: string;
  readonly types?: readonly EventType[];
  readonly jobId?: string;
  /** 1..1000. */
  readonly limit: number;
}

/** Events with their cursors, and where to read on. */
export interface EventPage {
  readonly events: readonly (StoredEvent & { readonly cursor: string })[];
  /**
   * The cursor of the last event, or the one given when the page is empty ('' at the very start).
   */
  readonly nextCursor: string;
  readonly hasMore: boolean;
  /**
   * Events after the cursor were removed by retention, and the page begins with the oldest that is
   * left. A log that removes nothing never says so.
   */
  readonly isTruncated?: true;
}

/** Which events to read newest first; every field given narrows it. */
export interface AuditQuery {
  readonly jobId?: string;
  readonly agentId?: string;
  readonly topologyId?: string;
  readonly types?: readonly EventType[];
  /** ISO 8601, inclusive. */
  readonly since?: string;
  /** 1..1000. */
  readonly limit: number;
}

/** The same search, part by part. */
export interface AuditSearch extends AuditQuery {
  /** Cursor of `LookBack.before`; events up to there. Throws KIT_CURSOR_INVALID. */
  readonly before?: string;
  /**
   * Time that is left, in ms, asked again and again: the search ends before there is none. 0 or
   * less ends it where it is, after one read; Infinity: it has no end.
   */
  readonly msLeft: () => number;
}

/** A part of the log, read backwards. */
export interface LookBack {
  /** Newest first. */
  readonly events: readonly StoredEvent[];
  /** From where to look further back; null = nothing is left to look at. */
  readonly before: string | null;
}

/** The append-only log. Nothing updates or deletes an event (a database trigger refuses). */
export interface EventLog {
  /**
   * Writes an event that belongs to no job (`input.rejected` at submit); its `jobId` in the log is
   * ''. `correlationId` is that of the request, null by default.
   */
  append(
    event: RunEvent,
    labels: Readonly<Record<string, string>>,
    correlationId?: string | null,
  ): Promise<StoredEvent>;
  read(query: EventQuery): Promise<EventPage>;
  /**
   * Newest first, until the page is full, everything was looked at, or it is over: a filter that
   * matches little has the whole log to look at.
   */
  lookBack(search: AuditSearch): Promise<LookBack>;
  /** The same without an end before the page is full. */
  readNewest(query: AuditQuery): Promise<readonly StoredEvent[]>;
  /** The cursor of the newest event: what follows is new. '' for an empty log. */
  headCursor(): Promise<string>;
  /** Events of one run with seq > `afterSeq`, at most `limit`, in order. */
  readRun(jobId: string, afterSeq: number, limit: number): Promise<readonly StoredEvent[]>;
  /**
   * Resolves when something may have been committed since the last call with this signal (the first
   * call resolves at once), or after `timeoutMs`, or when aborted. The signal stands for the
   * follower: two followers need two. Read after each call.
   */
  waitForChange(timeoutMs: number, signal: AbortSignal): Promise<void>;
}
