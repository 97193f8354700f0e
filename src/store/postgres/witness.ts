import type { EventRecord } from '../event-row.js';
import { FIND_EVENT } from './sql/events.js';
import type { LastStatement, SqlRunner } from './sql-runner.js';

/** Whether what one transaction alone writes is there. */
export type Witness = (sql: SqlRunner) => Promise<boolean>;

/**
 * An event is of one transaction alone where its hash is the one that this one gave it: a step that
 * is repeated tells of its start under the id of before.
 */
export const byEvent =
  ({ event_id: eventId, hash }: Pick<EventRecord, 'event_id' | 'hash'>): Witness =>
  async (sql) =>
    (await sql.get<{ hash: string }>(FIND_EVENT, { eventId }))?.hash === hash;

/** A statement that finds rows of this transaction, and of no other. */
export const byRows =
  ({ sql: text, params }: Pick<LastStatement, 'sql' | 'params'>): Witness =>
  async (sql) =>
    (await sql.get(text, params)) !== undefined;
