import type { Disposable } from '../extension-points.js';
import type { LogEntry } from '../log-entry.js';

/** `rejected`: the receiver will not take it (4xx): not tried again. `failed`: tried again, 3 attempts in all. */
export type SinkOutcome = { readonly kind: 'delivered' } | { readonly kind: 'rejected' | 'failed'; readonly detail: string };

/**
 * Receives events of the log in the background, at most once each: it can delay or fail no run. One call at a time for each
 * entry of `events`; the signal aborts after 10 s. What a consumer must do stands in docs/events.md.
 */
export interface EventSink extends Disposable {
  deliver(entry: LogEntry, signal: AbortSignal): Promise<SinkOutcome>;
}

/** An inbound event for the application (http-and-cli.md 1.3). */
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

/** The application's listener: one at most is registered. A throw is answered with 502 and is audited. */
export interface SignalListener extends Disposable {
  deliver(signal: Signal): Promise<void>;
}
