// Events, and rows of the audit as `audit-row.ts` makes them.
import type { EventType, StoredEvent } from '../../domain/events.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { LogEntry } from '../../domain/log-entry.js';
import type { Span } from '../trace-spans.js';
import { fromWire, toWire } from './codec.js';
import {
  ANY,
  arrayOf,
  closed,
  described,
  held,
  INTEGER,
  NULL,
  NUMBER,
  nullable,
  OBJECT,
  recordOf,
  type Schema,
  STRING,
  TIMESTAMP,
  type TypeOf,
} from './words.js';

/** A whole event with its place in its run. */
export const WHOLE_EVENT = closed({
  event_id: STRING,
  event_type: held('type', STRING),
  run_id: held('jobId', STRING),
  seq: described(INTEGER, 'Dense per run, from 1.'),
  timestamp: TIMESTAMP,
  topology_id: STRING,
  agent_id: nullable(STRING),
  skill_id: nullable(STRING),
  step_key: nullable(STRING),
  correlation_id: nullable(STRING),
  labels: recordOf(STRING),
  payload: OBJECT,
});
export type WireEvent = TypeOf<typeof WHOLE_EVENT>;

/** An event of the log, as consumers outside kit see it. */
export const LOG_ENTRY = closed({
  cursor: STRING,
  event_id: STRING,
  event_type: held('type', STRING as Schema<EventType>),
  timestamp: TIMESTAMP,
  run_id: held('jobId', STRING),
  topology_id: STRING,
  agent_id: nullable(STRING),
  skill_id: nullable(STRING),
  correlation_id: nullable(STRING),
  payload: OBJECT,
  labels: recordOf(STRING),
});
export type WireLogEntry = TypeOf<typeof LOG_ENTRY>;

export const AUDIT_ROW = closed({
  event_id: STRING,
  event_type: STRING,
  timestamp: TIMESTAMP,
  run_id: STRING,
  topology_id: STRING,
  agent_id: nullable(STRING),
  agent_role: nullable(STRING),
  skill_id: nullable(STRING),
  skill_category: NULL,
  correlation_id: nullable(STRING),
  payload: OBJECT,
  labels: recordOf(STRING),
  policy_decision: nullable(STRING),
  policy_reason: nullable(STRING),
  inputs: ANY,
  outputs: ANY,
  verdict: nullable(STRING),
  reasoning: nullable(STRING),
  confidence: nullable(NUMBER),
  model_provider: nullable(STRING),
  model_name: nullable(STRING),
  tokens_in: nullable(NUMBER),
  tokens_out: nullable(NUMBER),
  cost_usd: nullable(NUMBER),
  duration_ms: nullable(NUMBER),
  error: nullable(STRING),
  parent_event_id: NULL,
});
export type WireAuditRow = TypeOf<typeof AUDIT_ROW>;

/**
 * An event as the command line shows it with `--json`: with its place in its run; `cursor` where
 * the reader has one.
 */
export function toWireEvent(event: StoredEvent, cursor?: string): WireEvent & { readonly cursor?: string } {
  const whole = toWire(WHOLE_EVENT, { ...event, payload: payloadOf(event) });
  return cursor === undefined ? whole : { cursor, ...whole };
}

/**
 * A whole event out of what `toWireEvent` makes: what every view of a run folds. Its place in the
 * log and its chain stay with the server. Reducers leave alone a type of a version to come.
 */
export const fromWireEvent = (value: unknown): StoredEvent =>
  // The payload has the schema of its type: the server wrote it.
  ({ ...fromWire(WHOLE_EVENT, value), pos: 0, prevHash: '', hash: '' }) as unknown as StoredEvent;

/**
 * An event of the log as consumers outside kit see it: the one form of `GET /events` and of every
 * push.
 */
export const toLogEntry = (event: StoredEvent & { readonly cursor: string }): LogEntry =>
  toWire(LOG_ENTRY, { ...event, payload: payloadOf(event) });

/**
 * Payloads are JSON by their schemas; their generated types cannot say so (`unknown` members,
 * optional fields).
 */
export const payloadOf = (event: StoredEvent): JsonObject => ({ ...event.payload }) as unknown as JsonObject;

const SPAN_FIELDS = {
  name: STRING,
  start_ns: NUMBER,
  end_ns: described(nullable(NUMBER), 'Null: it has not ended.'),
  duration_ms: nullable(NUMBER),
  attributes: recordOf({ type: ['string', 'number', 'null'] } as Schema<string | number | null>),
  error: nullable(STRING),
};
const SPAN_WITHOUT_CHILDREN = closed(SPAN_FIELDS);

/** A tree: the type names itself as the schema does. */
export type WireSpan = TypeOf<typeof SPAN_WITHOUT_CHILDREN> & { readonly children: readonly WireSpan[] };

export const SPAN: Schema<WireSpan, Json> = {
  $id: 'TraceSpan',
  ...closed({ ...SPAN_FIELDS, children: arrayOf({ $ref: 'TraceSpan#' } as Schema<WireSpan>) }),
};

const NS_PER_MS = 1_000_000;

/**
 * A span as CLI and HTTP show it. Nanoseconds since the epoch, as tracing tools have them; kit
 * measures milliseconds.
 */
export const toWireSpan = (span: Span): WireSpan => ({
  name: span.name,
  start_ns: span.startMs * NS_PER_MS,
  end_ns: span.endMs === null ? null : span.endMs * NS_PER_MS,
  duration_ms: span.endMs === null ? null : Math.max(0, span.endMs - span.startMs),
  attributes: span.attributes,
  error: span.error,
  children: span.children.map(toWireSpan),
});
