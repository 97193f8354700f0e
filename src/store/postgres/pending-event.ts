import type { StoredEvent } from '../../domain/events.js';
import { decodeEvent, type EventRecord } from '../event-row.js';
import type { SqlParams } from './sql-runner.js';

/** An event that the last statement of a commit writes; that statement gives it its position. */
export interface PendingEvent {
  readonly record: Omit<EventRecord, 'pos'>;
  pos: number | null;
}

export function decodePending({ record, pos }: PendingEvent): StoredEvent {
  if (pos === null) throw new Error(`event ${record.event_id} was asked for before it was written`);
  return decodeEvent({ ...record, pos });
}

type EventColumn = keyof EventRecord;

const EVENT_COLUMNS: readonly EventColumn[] = [
  'pos',
  'job_id',
  'seq',
  'event_id',
  'type',
  'timestamp',
  'topology_id',
  'agent_id',
  'skill_id',
  'step_key',
  'payload',
  'labels',
  'correlation_id',
  'prev_hash',
  'hash',
];

/**
 * Many events as one list for each column: the parameters of INSERT_EVENTS, and of a copy, which
 * keeps their positions.
 */
export function columnsOf(
  records: readonly (Omit<EventRecord, 'pos'> & Partial<Pick<EventRecord, 'pos'>>)[],
): SqlParams {
  return Object.fromEntries(EVENT_COLUMNS.map((column) => [column, records.map((record) => record[column] ?? null)]));
}
