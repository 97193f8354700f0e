import type { EventType } from '../../../domain/events.js';
import type { EventLog } from '../../../domain/ports/event-log.js';
import type { Stores } from '../../../domain/ports/stores.js';
import type { SinkDelivery } from '../events-app.js';
import { type SinkDeps, startDelivery } from './delivery.js';
import { TTL_MS } from './lead.js';
import { isTelemetry, TELEMETRY_LEAD, TELEMETRY_TYPES, telemetrySettings } from './telemetry.js';

type Log = Pick<EventLog, 'headCursor' | 'read' | 'readNewest'>;

/**
 * Looked for at most: what is further back than this many events is left to those who read the log.
 */
const MOST = 1000;

/**
 * Reading on from it gives every event of these types since a time, by the clocks of those who
 * wrote them, and what is new.
 */
async function cursorSince(
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

/**
 * A server that died led for as long as this at most, and had an event in hand: a trace that comes
 * twice is the same trace.
 */
const LOOK_BACK_MS = 2 * TTL_MS;

/** What the background delivery of a server is made of. */
export interface StartSinksDeps extends Omit<SinkDeps, 'lead' | 'atStart'> {
  /** KIT_OTEL_EXPORTER; null when unset. */
  readonly exporter: string | null;
}

/**
 * Every sink of a workspace under one lead, and its exporter of traces under another: `kit run`
 * asks for that one to know whether a server exports its run already.
 */
export async function startSinks(
  stores: Pick<Stores, 'events' | 'jobs' | 'serving'>,
  deps: StartSinksDeps,
): Promise<SinkDelivery> {
  const pushing = await startDelivery(stores, {
    ...deps,
    atStart: 'refuse',
    lead: 'sinks',
    current: async () => {
      const { id, sinks, server } = await deps.current();
      return { id, server, sinks: sinks.filter((sink) => !isTelemetry(sink)) };
    },
  });
  const exported = async () => {
    const { id, sinks, server } = await deps.current();
    const settings = telemetrySettings(sinks, deps.exporter);
    return { id, server, sinks: settings === null ? [] : [settings] };
  };
  const takeOver: SinkDeps['takeOver'] = (events) =>
    cursorSince(events, { types: TELEMETRY_TYPES, sinceMs: deps.clock.now() - LOOK_BACK_MS });
  // Without an exporter nobody holds its lead: then each `kit run` that has one tells of its own
  // run.
  const open = async (atStart: SinkDeps['atStart']): Promise<SinkDelivery | null> =>
    (await exported()).sinks.length === 0
      ? null
      : startDelivery(stores, { ...deps, atStart, lead: TELEMETRY_LEAD, current: exported, takeOver });
  let exporting = await open('refuse').catch(async (error: unknown) => {
    await pushing.stop();
    throw error;
  });
  let isStopped = false;
  return {
    counters: () => [...pushing.counters(), ...(exporting?.counters() ?? [])],
    reload: async () => {
      if (isStopped) return;
      const before = exporting;
      if (before === null) exporting = await open('try again');
      else if ((await exported()).sinks.length > 0) await before.reload();
      else {
        exporting = null;
        await before.stop();
      }
      await pushing.reload();
    },
    stop: async () => {
      isStopped = true;
      await Promise.all([pushing.stop(), exporting?.stop()]);
    },
  };
}
