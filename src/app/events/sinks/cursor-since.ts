import type { EventType } from '../../../domain/events.js';
import type { EventLog } from '../../../domain/ports/event-log.js';

type Log = Pick<EventLog, 'headCursor' | 'read' | 'readNewest'>;

/**
 * Looked for at most: what is further back than this many events is left to those who read the log.
 */
const MOST = 1000;

/**
 * Reading on from it gives every event of these types since a time, by the clocks of those who
 * wrote them, and what is new.
 */
export async function cursorSince(
  events: Log,
  since: { readonly types: readonly EventType[]; readonly sinceMs: number },
): Promise<string> {
  // Before anything is looked for: what is committed meanwhile is new.
  const head = await events.headCursor();
  const newest = await events.readNewest({
    types: since.types,
    since: new Date(since.sinceMs).toISOString(),
    limit: MOST,
  });
  const oldest = newest.at(-1);
  return oldest === undefined ? head : cursorBefore(events, oldest);
}

/**
 * The cursor of the event of the same run that comes before it: nothing of the log is left out from
 * there.
 */
async function cursorBefore(
  events: Log,
  { jobId, seq }: { readonly jobId: string; readonly seq: number },
): Promise<string> {
  let before = '';
  for (;;) {
    const page = await events.read({ ...(before === '' ? {} : { after: before }), jobId, limit: MOST });
    for (const event of page.events) {
      if (event.seq >= seq) return before;
      before = event.cursor;
    }
    if (!page.hasMore) return before;
  }
}
