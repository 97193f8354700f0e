import type { RunEvent } from '../../domain/events.js';
import { reportedEnd } from '../../domain/reported-end.js';
import { type ChainEnd, decodeEvent, type EventOwner, type EventRecord, encodeEvent } from '../event-row.js';
import type { Appended } from '../program.js';
import { RunUsage } from '../run-usage.js';
import { countUsage } from './count-usage.js';
import { eventValues, packedId } from './row-values.js';
import {
  ADD_END_OF_FILED,
  FILE_TYPES,
  FIND_EVENT,
  FIND_STEP_EVENT,
  INSERT_EVENT,
  LAST_OF_RUN,
  MOVE_END_OF_FILED,
  STEP_EVENT_IDS,
} from './sql/events.js';
import type { SqlRunner } from './sql-runner.js';

/** Events that are filed by their types at once; no more than these are looked through for one. */
const FILED_TOGETHER = 256;

/**
 * Files the events that were written last by their types, where this one fills up their number.
 * Positions are given one by one, in the one write transaction that the file allows: whichever
 * process writes one that fills it up files them all, in the commit of that event.
 */
function fileTypes(sql: SqlRunner, pos: number): void {
  if (pos % FILED_TOGETHER !== 0) return;
  sql.run(FILE_TYPES, { upTo: pos });
  if (sql.run(MOVE_END_OF_FILED, { upTo: pos }) === 0) sql.run(ADD_END_OF_FILED, { upTo: pos });
}

const CHAIN_START: ChainEnd = { seq: 0, hash: '' };

export type Append = (events: readonly RunEvent[]) => readonly Appended[];

/**
 * Ids of the events of steps that one run has, shortened; null: nobody has looked yet. Under one
 * fence nobody else writes such events. So what is not in here is not in the log; what is in here
 * may be, and is looked for: a transaction that was given up leaves its ids behind.
 */
export interface StepEventIds {
  ids: Set<number> | null;
}

/** Of a run whose row this transaction has made: there are no events yet, and nobody need look. */
export const newRun = (): StepEventIds & { readonly last: ChainEnd } => ({ ids: new Set(), last: CHAIN_START });

/** The end of an id, which is a digest in those of steps. */
const shortened = (eventId: string): number => Number.parseInt(eventId.slice(-7), 16);

/**
 * Appends events of one owner in the open write transaction: the end of the chain is read once,
 * before the first, and remembered for as long as nobody else can have written to it
 * (`WriterMemo`). An event whose id is already in the log is not written again: what the log holds
 * is told in its place. Nothing is made of what was written before somebody looks at it, and for
 * the events of a run nobody does. `of`: what the holder of a fence, or who made the run, knows of
 * it.
 */
export function openAppend(
  sql: SqlRunner,
  owner: EventOwner,
  of: StepEventIds & { readonly last?: ChainEnd } = { ids: null },
): Append {
  const { run } = owner;
  let last: ChainEnd | null = null;
  /** Of a log that was followed from its first event. */
  let used: RunUsage | null = null;
  const begin = (): ChainEnd => {
    const end = of.last ?? sql.get<ChainEnd>(LAST_OF_RUN, { run }) ?? CHAIN_START;
    if (end.seq === 0) used = new RunUsage();
    return end;
  };
  const found = (statement: string, eventId: string): Appended | null => {
    const record = sql.get<EventRecord>(statement, { run, eventId: packedId(eventId) });
    return record === undefined ? null : () => decodeEvent(record);
  };
  /** The event of a step that is there already; it counts as there from now on. */
  const before = (eventId: string): Appended | null => {
    of.ids ??= idsOf(sql, run);
    const known = of.ids.size;
    const isThere = of.ids.add(shortened(eventId)).size === known;
    return isThere ? found(FIND_STEP_EVENT, eventId) : null;
  };
  const appendOne = (event: RunEvent): Appended => {
    const earlier = event.stepKey === null ? null : before(event.eventId);
    if (earlier !== null) return earlier;
    last ??= begin();
    const record = encodeEvent(event, owner, last);
    const pos = sql.insertInOrder(INSERT_EVENT, eventValues(run, record));
    if (pos === null) {
      const held = found(FIND_EVENT, event.eventId);
      if (held === null) throw new Error(`event ${event.eventId} was neither written nor found`);
      return held;
    }
    last = { seq: record.seq, hash: record.hash };
    fileTypes(sql, pos);
    if (event.type === 'model.called') used?.add({ ...event, seq: record.seq });
    if (reportedEnd(event) !== null) countUsage(sql, owner, used);
    return () => decodeEvent({ ...record, pos });
  };
  return (events) => events.map(appendOne);
}

const idsOf = (sql: SqlRunner, run: number): Set<number> =>
  new Set(sql.all<{ event_id: string }>(STEP_EVENT_IDS, { run }).map(({ event_id }) => shortened(event_id)));

/** Appends what belongs together in one call. */
export const appendEvents = (sql: SqlRunner, owner: EventOwner, events: readonly RunEvent[]): readonly Appended[] =>
  openAppend(sql, owner)(events);
