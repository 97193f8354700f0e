import { isKitError } from '../../../domain/errors.js';
import type { EventType } from '../../../domain/events.js';
import type { EventQuery } from '../../../domain/ports/event-log.js';
import type { EventSink } from '../../../domain/ports/sinks.js';
import type { Stores } from '../../../domain/ports/stores.js';
import type { Log } from '../../../domain/ports/system.js';
import { toLogEntry } from '../../../view/schemas/event.js';
import { type Delivered, type DeliveryParts, deliverEntry } from './deliver-entry.js';
import type { Term } from './lead.js';
import { sinkRun } from './sink-run.js';

/** A sink this far behind skips to the end of the log (docs/design/decisions.md#pushes). */
const MAX_BEHIND = 1000;
const PAGE = 50;
/** Longest wait between two looks at the log; a commit wakes the loop earlier. */
const POLL_MS = 1000;
/** Pause after an error of the store. */
const STORE_PAUSE_MS = 1000;

/** What one sink came to since the server started. */
export interface SinkCounters {
  readonly sink: string;
  readonly delivered: number;
  /** Final: the receiver would not take it. */
  readonly rejected: number;
  /** Given up after three attempts. */
  readonly failed: number;
  /** How often it skipped to the end of the log: too far behind, or the log was set back. */
  readonly skips: number;
}

/** One sink with its place in the log. */
export interface RunningSink {
  /** Same place in `events` and same settings: the same sink. */
  readonly key: string;
  /** `server.public_url`, for links. */
  readonly publicUrl: string | null;
  /** For logs and counters: `webhook#0`, by its place in `events`. */
  readonly name: string;
  /** Opened anew by each reload: it needs the plugins of the workspace as it stands. */
  sink: EventSink;
  /** [] = every type. */
  readonly types: readonly EventType[];
  counters: SinkCounters;
  /** The term it delivers in, and the cursor of the last event that is done with. */
  place: { readonly term: Term; readonly after: string } | null;
}

export interface SinkLoopParts extends DeliveryParts {
  readonly jobs: Pick<Stores['jobs'], 'get'>;
  readonly events: Pick<Stores['events'], 'read' | 'readRun' | 'headCursor' | 'waitForChange'>;
  readonly log: Log;
  readonly term: () => Term | null;
}

/**
 * Delivers to one sink until the signal aborts. It has its own place in the log, so a slow sink
 * delays no other.
 */
export async function runSink(running: RunningSink, parts: SinkLoopParts): Promise<void> {
  const { events, clock, log, signal } = parts;
  while (!signal.aborted) {
    try {
      await events.waitForChange(POLL_MS, signal);
      while (!signal.aborted && (await deliverPage(running, parts)));
    } catch (error) {
      log.warn(`event sink ${running.name} cannot read the log`, { error });
      await clock.sleep(STORE_PAUSE_MS, signal).catch(() => undefined);
    }
  }
}

/** False: there is nothing more for now. */
async function deliverPage(running: RunningSink, parts: SinkLoopParts): Promise<boolean> {
  const term = parts.term();
  if (term === null) return false;
  if (running.place?.term !== term) running.place = { term, after: term.from };
  const query: Omit<EventQuery, 'limit'> = {
    after: running.place.after,
    ...(running.types.length === 0 ? {} : { types: running.types }),
  };
  const page = await parts.events.read({ ...query, limit: PAGE }).catch(nullIfSetBack);
  if (page === null) {
    await skip(running, term, parts, SET_BACK);
    return true;
  }
  if (page.hasMore && (await parts.events.read({ ...query, limit: MAX_BEHIND })).hasMore) {
    await skip(running, term, parts, BEHIND);
    return true;
  }
  for (const event of page.events) {
    if (parts.term() !== term) return false;
    const run = sinkRun(parts, event, running.publicUrl);
    const delivered = await deliverEntry(
      { deliver: (entry, signal) => running.sink.deliver(entry, signal, run) },
      toLogEntry(event),
      parts,
    );
    if (delivered.kind === 'stopped') return false;
    count(running, delivered, parts.log, event.eventId);
    running.place = { term, after: event.cursor };
  }
  return page.hasMore;
}

const BEHIND = `is more than ${MAX_BEHIND} events behind and goes on with new ones; read the others with GET /events`;
const SET_BACK =
  'stands behind an event that the log lost, as by a restore, and goes on with new ones; read the log with GET /events from its beginning';

/** The place of a sink was given by the log: it is refused only where the log has lost it. */
function nullIfSetBack(error: unknown): null {
  if (isKitError(error) && error.code === 'KIT_CURSOR_INVALID') return null;
  throw error;
}

async function skip(running: RunningSink, term: Term, { events, log }: SinkLoopParts, why: string): Promise<void> {
  const after = running.place?.after ?? '';
  running.place = { term, after: await events.headCursor() };
  running.counters = { ...running.counters, skips: running.counters.skips + 1 };
  log.warn(`event sink ${running.name} ${why}`, { after });
}

function count(
  running: RunningSink,
  delivered: Exclude<Delivered, { kind: 'stopped' }>,
  log: Log,
  eventId: string,
): void {
  const { name, counters } = running;
  running.counters = { ...counters, [delivered.kind]: counters[delivered.kind] + 1 };
  if (delivered.kind === 'delivered') return;
  log.warn(`event sink ${name} dropped an event: ${delivered.detail}`, {
    event_id: eventId,
    attempts: delivered.attempts,
  });
}
