import { KitError } from '../domain/errors.js';
import type { EventPage } from '../domain/ports/event-log.js';
import { type CursorCodec, type LogPlace, markOf } from './cursor.js';
import { decodeEvent, type EventRecord } from './event-row.js';

const MAX_PAGE = 1000;

/** Throws KIT_USAGE for a page that no store gives. */
export function requirePageSize(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    throw new KitError('KIT_USAGE', `a page holds 1 to ${MAX_PAGE} events, not ${limit}`, {
      hint: `Give a limit from 1 to ${MAX_PAGE}.`,
    });
  }
}

/**
 * A log that was set back to an earlier state gives positions again, and whoever read on would miss
 * what is written there. It shows where the log ends before the cursor (the newest event is never
 * removed), and where the event that the cursor was issued for is not there, or is another one,
 * though none of its age was ever removed. Throws KIT_CURSOR_INVALID.
 */
export function requireReached({ pos, mark }: LogPlace, { last, hash, gone }: LogState): void {
  const isLost = mark !== null && (hash === null ? pos > gone : markOf(hash) !== mark);
  if (pos <= last && !isLost) return;
  const what = pos <= last ? 'the event of this cursor is not in the log' : 'this cursor lies after the end of the log';
  throw new KitError('KIT_CURSOR_INVALID', what, {
    hint: 'The store was set back to an earlier state. Read the log again from its beginning.',
  });
}

export interface LogState {
  /** Up to here events may have been removed; 0 = none ever was. */
  readonly gone: number;
  /** Position of the newest event; 0 = there is none. */
  readonly last: number;
  /** Of the event at the cursor's place; null = it is not there. */
  readonly hash: string | null;
}

/** Behind an event. */
export const placeOf = ({ pos, hash }: Pick<EventRecord, 'pos' | 'hash'>): LogPlace => ({ pos, mark: markOf(hash) });

export interface PageParts {
  readonly limit: number;
  /** The cursor that the page was asked for with; '' at the start. */
  readonly after: string;
  readonly cursors: CursorCodec;
  /**
   * Position of the cursor, and the one up to which events may have been removed; null = none ever
   * was.
   */
  readonly afterPos: number;
  readonly horizon: number | null;
}

/** A page of at most `limit` records; one record more says that there is a next page. */
export function pageOf(
  records: readonly EventRecord[],
  { limit, after, cursors, afterPos, horizon }: PageParts,
): EventPage {
  const events = records
    .slice(0, limit)
    .map((record) => ({ ...decodeEvent(record), cursor: cursors.encode(placeOf(record)) }));
  const page: EventPage = { events, nextCursor: events.at(-1)?.cursor ?? after, hasMore: records.length > limit };
  return afterPos < (horizon ?? 0) ? { ...page, isTruncated: true } : page;
}
