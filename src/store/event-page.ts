import { KitError } from '../domain/errors.js';
import type { EventPage } from '../domain/ports/event-log.js';
import type { CursorCodec } from './cursor.js';
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
 * The newest event is never removed, so a log that ends before a cursor was set back to an earlier
 * state, and gives positions again: whoever read on would miss what is written there. Throws
 * KIT_CURSOR_INVALID.
 */
export function requireReached(afterPos: number, last: number): void {
  if (afterPos <= last) return;
  throw new KitError('KIT_CURSOR_INVALID', 'this cursor lies after the end of the log', {
    hint: 'The store was set back to an earlier state. Read the log again from its beginning.',
  });
}

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
    .map((record) => ({ ...decodeEvent(record), cursor: cursors.encode(record.pos) }));
  const page: EventPage = { events, nextCursor: events.at(-1)?.cursor ?? after, hasMore: records.length > limit };
  return afterPos < (horizon ?? 0) ? { ...page, isTruncated: true } : page;
}
