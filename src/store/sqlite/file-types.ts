import { ADD_END_OF_FILED, FILE_TYPES, MOVE_END_OF_FILED } from './sql/events.js';
import type { SqlRunner } from './sql-runner.js';

/** Events that are filed by their types at once; no more than these are looked through for one. */
const FILED_TOGETHER = 256;

/**
 * Files the events that were written last by their types, where this one fills up their number.
 * Positions are given one by one, in the one write transaction that the file allows: whichever
 * process writes one that fills it up files them all, in the commit of that event.
 */
export function fileTypes(sql: SqlRunner, pos: number): void {
  if (pos % FILED_TOGETHER !== 0) return;
  sql.run(FILE_TYPES, { upTo: pos });
  if (sql.run(MOVE_END_OF_FILED, { upTo: pos }) === 0) sql.run(ADD_END_OF_FILED, { upTo: pos });
}
