import { KitError } from '../../domain/errors.js';
import { EVENT_TYPES, type EventType, isTypeName } from '../../domain/events.js';
import type { LogEntry } from '../../domain/log-entry.js';
import type { AuditSearch, EventQuery } from '../../domain/ports/event-log.js';
import type { Stores } from '../../domain/ports/stores.js';
import { type Clock, onwardTime } from '../../domain/ports/system.js';
import { hintFor } from '../../lib/nearest.js';
import { toAuditRow } from '../../view/audit-row.js';
import { toLogEntry } from '../../view/schemas/event.js';
import { requireInstant } from '../require-instant.js';
import type { AuditPage, AwaitEvents, LogPage, ReadAudit, ReadEvents } from './events-app.js';

type Log = Pick<Stores, 'events'>;

/** Longest wait between two looks at the log; a change wakes a follower earlier. */
const POLL_MS = 1000;
const PAGE = 500;

/** Throws KIT_REQUEST_INVALID naming every type that there is not. */
export function typesCalled(names: readonly string[]): readonly EventType[] {
  const unknown = names.filter((name) => !isTypeName(name));
  const [first] = unknown;
  if (first === undefined) return names.filter(isTypeName);
  const errors = unknown.map((name) => ({
    pointer: '/query/types',
    message: `there is no event type ${JSON.stringify(name)}`,
    code: 'enum',
  }));
  throw new KitError('KIT_REQUEST_INVALID', errors.map(({ message }) => message).join('; '), {
    hint: hintFor(first, EVENT_TYPES, { fallback: `Use one of ${EVENT_TYPES.join(', ')}.` }),
    data: { errors },
  });
}

const queryOf = ({ after, types, run }: Omit<ReadEvents, 'limit'>, limit: number): EventQuery => ({
  limit,
  ...(after === null ? {} : { after }),
  ...(types.length === 0 ? {} : { types: typesCalled(types) }),
  ...(run === null ? {} : { jobId: run }),
});

/** See `EventsApp.read`. */
export async function readLog(stores: Log | null, query: ReadEvents): Promise<LogPage> {
  const asked = queryOf(query, query.limit);
  if (stores === null) return nothing(query.after);
  const page = await stores.events.read(asked);
  return {
    entries: page.events.map(toLogEntry),
    nextCursor: page.nextCursor,
    hasMore: page.hasMore,
    isTruncated: page.isTruncated === true,
  };
}

/** See `EventsApp.awaitPage`. */
export async function awaitLog({ stores, clock }: AwaitDeps, query: AwaitEvents): Promise<LogPage> {
  const { after, waitMs, signal } = query;
  if (after === null)
    return { entries: [], nextCursor: await stores.events.headCursor(), hasMore: false, isTruncated: false };
  const time = onwardTime(clock);
  for (;;) {
    const page = await readLog(stores, query);
    const leftMs = waitMs - time();
    if (page.entries.length > 0 || leftMs <= 0 || signal.aborted) return page;
    await stores.events.waitForChange(Math.min(POLL_MS, leftMs), signal);
  }
}

interface AwaitDeps {
  readonly stores: Log;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
}

/** A workspace without a store has issued no cursor. */
function nothing(after: string | null): LogPage {
  if (after !== null && after !== '')
    throw new KitError('KIT_CURSOR_INVALID', 'this cursor was not issued by this event log');
  return { entries: [], nextCursor: '', hasMore: false, isTruncated: false };
}

/** See `EventsApp.follow`. */
export async function* followLog(
  stores: Log,
  query: Omit<ReadEvents, 'limit'>,
  signal: AbortSignal,
): AsyncGenerator<LogEntry> {
  const asked = queryOf(query, PAGE);
  let after = query.after ?? '';
  while (!signal.aborted) {
    const page = await stores.events.read({ ...asked, after });
    for (const event of page.events) {
      if (signal.aborted) return;
      yield toLogEntry(event);
    }
    after = page.nextCursor;
    if (page.events.length === 0) await stores.events.waitForChange(POLL_MS, signal);
  }
}

/**
 * One look back; a search that matches little has the whole log to look at. What comes on top on a
 * busy machine (the last slice, the answer) keeps the whole within a quarter of a second.
 */
const AUDIT_MS = 100;

/** See `EventsApp.audit`. */
export async function readAudit(
  { stores, clock }: { readonly stores: Log | null; readonly clock: Pick<Clock, 'now' | 'elapsed'> },
  { run, agent, topology, types, since, before, limit, signal }: ReadAudit,
): Promise<AuditPage> {
  const time = onwardTime(clock);
  const search: AuditSearch = {
    limit,
    msLeft: () => (signal.aborted ? 0 : AUDIT_MS - time()),
    ...(run === null ? {} : { jobId: run }),
    ...(agent === null ? {} : { agentId: agent }),
    ...(topology === null ? {} : { topologyId: topology }),
    ...(types.length === 0 ? {} : { types: typesCalled(types) }),
    ...(since === null ? {} : { since: requireInstant(since, 'since') }),
    ...(before === null ? {} : { before }),
  };
  if (stores === null) {
    nothing(before);
    return { rows: [], before: null };
  }
  const { events, before: left } = await stores.events.lookBack(search);
  return { rows: events.map(toAuditRow), before: left };
}
