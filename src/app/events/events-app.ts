import type { StoredEvent } from '../../domain/events.js';
import type { LogEntry } from '../../domain/log-entry.js';
import type { Signal } from '../../domain/ports/sinks.js';
import type { AuditRow } from '../../view/audit-row.js';
import type { ReadLoose } from './read-loose.js';
import type { SinkCounters } from './sinks/sink-loop.js';

/** Which events to read, oldest first; every field given narrows it. */
export interface ReadEvents {
  /** Absolute workspace directory. */
  readonly workspace: string;
  /** Cursor of an event or a page; null or '' = from the start. */
  readonly after: string | null;
  /** Exact names of event types; [] = every type. */
  readonly types: readonly string[];
  /** Full id; null = of every run, and those that belong to none. */
  readonly run: string | null;
  /** 1..1000. */
  readonly limit: number;
}

/**
 * A page that is waited for. Without `after` it begins at the end of the log: nobody waits for what
 * has happened, and the answer, at once and empty, has the cursor to wait with.
 */
export interface AwaitEvents extends ReadEvents {
  /** The longest wait, in milliseconds. */
  readonly waitMs: number;
  /** Ends the wait with an empty page. */
  readonly signal: AbortSignal;
}

/** A page of the log. */
export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** Where to read on; what was given when the page is empty. */
  readonly nextCursor: string;
  /** Exact: there is more now. */
  readonly hasMore: boolean;
  /**
   * Events after the cursor are gone by retention: the page begins with the oldest that is left.
   */
  readonly isTruncated: boolean;
}

/** Which audit rows to read, newest first; every field given narrows it. */
export interface ReadAudit extends Pick<ReadEvents, 'workspace' | 'run' | 'limit'> {
  readonly agent: string | null;
  readonly topology: string | null;
  /** Exact names; [] = every type. */
  readonly types: readonly string[];
  /** ISO 8601 with an offset, inclusive; null = from the start. */
  readonly since: string | null;
  /** Where an earlier search has left off; null = from the end of the log. */
  readonly before: string | null;
  /** Ends the search: whoever asked is gone. */
  readonly signal: AbortSignal;
}

/** What was found within the time of one call. */
export interface AuditPage {
  readonly rows: readonly AuditRow[];
  /** Everything newer was looked at; null = the whole log was. */
  readonly before: string | null;
}

/** Somebody hands in an event for the application. */
export interface SendSignal extends Omit<Signal, 'source' | 'traceParent'> {
  readonly workspace: string;
  /** Header `traceparent` as it came; one that is none is ignored. */
  readonly traceParent?: string;
  /** Who asks: an authenticated caller, or a trigger, which may emit and nothing else. */
  readonly from:
    | { readonly kind: 'caller'; readonly identity: string; readonly clientName?: string }
    | { readonly kind: 'trigger'; readonly id: string };
}

/** A signal that its listener has taken. */
export type SentSignal = Signal;

/**
 * The log as consumers outside kit see it: pull, push, and the way in. All throw
 * KIT_WORKSPACE_NOT_FOUND and KIT_STORE_*; a workspace that never ran anything has no events.
 */
export interface EventsApp {
  /** Throws KIT_CURSOR_INVALID, KIT_REQUEST_INVALID for a type that there is not. */
  read(query: ReadEvents): Promise<LogPage>;
  /** The same, and a page that would be empty waits for its first event. */
  awaitPage(query: AwaitEvents): Promise<LogPage>;
  /** Pages of the log as they grow, until the signal aborts. Throws the same as `read`. */
  follow(query: Omit<ReadEvents, 'limit'>, signal: AbortSignal): AsyncIterable<LogEntry>;
  /**
   * Looks back for 150 ms at most: a page may be short, or empty, and more be left.
   * Throws KIT_REQUEST_INVALID for a type that there is not, or a time that is none,
   * KIT_CURSOR_INVALID.
   */
  audit(query: ReadAudit): Promise<AuditPage>;
  /**
   * The newest events that belong to no run, the oldest of them first. Throws KIT_USAGE for a type
   * that there is not.
   */
  loose(query: ReadLoose): Promise<readonly StoredEvent[]>;
  /**
   * Hands an event to the application's one listener and writes the attempt into the log, whatever
   * becomes of it. Throws KIT_APPROVAL_DENIED for `advance` and `skip` without a role that confers
   * `pipeline:<mode>`, KIT_NO_LISTENER, KIT_SIGNAL_FAILED.
   */
  signal(signal: SendSignal): Promise<SentSignal>;
  /**
   * Pushes every event that is committed from now on to the sinks of the workspace, in the
   * background, until it is stopped. Throws KIT_PLUGIN_* and KIT_PLUGIN_CONFIG_INVALID for a sink
   * that cannot be made: a server with one does not start.
   */
  startSinks(workspace: string): Promise<SinkDelivery>;
}

/**
 * The background delivery of one workspace. It reads the log, so no run waits for it and none fails
 * by it.
 */
export interface SinkDelivery {
  /** For `/metrics`; what a reload took away is no longer counted. */
  counters(): readonly SinkCounters[];
  /**
   * Takes the sinks from the files as they are now; one that did not change keeps its place. One
   * that cannot be opened is off and tried again until it opens: after a second at first, at last
   * once a minute. Throws KIT_WORKSPACE_*: nothing changed then.
   */
  reload(): Promise<void>;
  /** Ends what is under way and lets another server take over. Idempotent. */
  stop(): Promise<void>;
}
