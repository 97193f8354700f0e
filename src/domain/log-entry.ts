import type { EventType } from './events.js';
import type { JsonObject } from './json.js';

/** An event as consumers see it: in `GET /events` and in pushes alike. Keys are the wire's. */
export interface LogEntry {
  /** Opaque; reading on from it begins with the event after this one. */
  readonly cursor: string;
  readonly event_id: string;
  readonly event_type: EventType;
  readonly timestamp: string;
  /** '' for an event that belongs to no run. */
  readonly run_id: string;
  readonly topology_id: string;
  readonly agent_id: string | null;
  readonly skill_id: string | null;
  readonly correlation_id: string | null;
  readonly payload: JsonObject;
  readonly labels: Readonly<Record<string, string>>;
}
