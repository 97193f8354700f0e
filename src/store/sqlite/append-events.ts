import type { RunEvent, StoredEvent } from '../../domain/events.js';
import {
  type ChainEnd,
  decodeEvent,
  decodeOnLook,
  type EventOwner,
  type EventRecord,
  encodeEvent,
} from '../event-row.js';
import { FIND_EVENT, INSERT_EVENT, LAST_OF_RUN } from './sql/events.js';
import type { SqlRunner, SqlValue } from './sql-runner.js';

const CHAIN_START: ChainEnd = { seq: 0, hash: '' };

/** An owner by the number that the log is indexed by: `jobs.ord`, 0 for events of no job. */
export interface NumberedOwner extends EventOwner {
  readonly run: number;
}

export type Append = (events: readonly RunEvent[]) => readonly StoredEvent[];

/**
 * Appends events of one owner in the open write transaction: the end of the chain is read once,
 * before the first, and remembered for as long as nobody else can have written to it
 * (`WriterMemo`). An event whose id is already in the log is not written again: what the log holds
 * is returned in its place.
 */
export function openAppend(sql: SqlRunner, owner: NumberedOwner): Append {
  let last: ChainEnd | null = null;
  const appendOne = (event: RunEvent): StoredEvent => {
    last ??= sql.get<ChainEnd>(LAST_OF_RUN, { run: owner.run }) ?? CHAIN_START;
    const record = encodeEvent(event, owner, last);
    const pos = sql.insertInOrder(INSERT_EVENT, valuesOf(owner.run, record));
    if (pos === null) return existing(sql, { run: owner.run, eventId: event.eventId });
    last = { seq: record.seq, hash: record.hash };
    return decodeOnLook(record, pos);
  };
  return (events) => events.map(appendOne);
}

/** In the order of INSERT_EVENT. */
const valuesOf = (run: number, record: Omit<EventRecord, 'pos'>): readonly SqlValue[] => [
  run,
  record.job_id,
  record.seq,
  record.event_id,
  record.type,
  record.timestamp,
  record.topology_id,
  record.agent_id,
  record.skill_id,
  record.step_key,
  record.payload,
  record.labels,
  record.correlation_id,
  record.prev_hash,
  record.hash,
];

/** Appends what belongs together in one call. */
export const appendEvents = (
  sql: SqlRunner,
  owner: NumberedOwner,
  events: readonly RunEvent[],
): readonly StoredEvent[] => openAppend(sql, owner)(events);

function existing(sql: SqlRunner, of: { readonly run: number; readonly eventId: string }): StoredEvent {
  const record = sql.get<EventRecord>(FIND_EVENT, of);
  if (record === undefined) throw new Error(`event ${of.eventId} was neither written nor found`);
  return decodeEvent(record);
}
