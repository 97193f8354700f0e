import type { Disposable } from '../disposable.js';
import type { LogEntry } from '../log-entry.js';
import type { Metric } from './metrics.js';
import type { RunTrace } from './run-trace.js';

/**
 * `rejected`: the receiver will not take it (4xx): not tried again. `failed`: tried again, 3
 * attempts in all.
 */
export type SinkOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'rejected' | 'failed'; readonly detail: string };

/**
 * Receives events of the log in the background, at most once each: it can delay or fail no run. One
 * call at a time for each entry of `events`; the signal aborts after 10 s. What a consumer must do
 * stands in docs/events.md.
 */
export interface EventSink extends Disposable {
  deliver(entry: LogEntry, signal: AbortSignal, run: SinkRun): Promise<SinkOutcome>;
  /**
   * Takes the figures of `/metrics` while this server delivers: every `measureEveryMs`, and once
   * when it ends. What fails is not tried again: newer figures come. Absent: it takes none.
   */
  measure?(figures: readonly Metric[], signal: AbortSignal): Promise<SinkOutcome>;
  /** Default: 60 s. */
  readonly measureEveryMs?: number;
}

/**
 * What a sink may ask about the run of an event. It is read when it is asked; a read that fails
 * throws, and the event comes again.
 */
export interface SinkRun {
  /**
   * Where people look at it, for a message that somebody reads: a browser that opens one is led to
   * the page. Null: the workspace says no `server.public_url`, or the event belongs to no run.
   */
  readonly links: SinkLinks | null;
  /**
   * W3C `traceparent` of the run, for what the receiver does about the event; null for an event
   * that belongs to no run.
   */
  traceParent(): Promise<string | null>;
  /**
   * What the row tells of the run's trace; its spans are read when they are asked for. Null for an
   * event that belongs to no run.
   */
  trace(): Promise<RunTrace | null>;
}

/** Absolute addresses. */
export interface SinkLinks {
  readonly run: string;
  /** The gate that the event speaks of; null = of none. */
  readonly gate: string | null;
}

/** An inbound event for the application. */
export interface Signal {
  readonly correlationId: string;
  readonly event: string;
  readonly sourceEventId: string | null;
  readonly mode: 'emit' | 'advance' | 'skip';
  /** `api:<client id>` or `webhook:<trigger id>`. */
  readonly source: string;
  /** Names the flow of an event target; null over `/events/signal`. */
  readonly pipeline: string | null;
  /** W3C `traceparent` that came with it; absent: none did. */
  readonly traceParent?: string;
}

/**
 * The application's listener: one at most is registered. A throw is answered with 502 and is
 * audited.
 */
export interface SignalListener extends Disposable {
  deliver(signal: Signal): Promise<void>;
}
