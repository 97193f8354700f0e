import type { StoredEvent } from '../../../domain/events.js';
import type { SinkLinks, SinkRun } from '../../../domain/ports/sinks.js';
import type { Stores } from '../../../domain/ports/stores.js';
import { linksBelow } from '../../../view/base-url.js';
import { runTraceParent, traceHead, traceParts } from '../../../view/telemetry/run-trace.js';
import { closesSegment } from '../../../view/telemetry/segment.js';
import { TELEMETRY_TYPES } from './telemetry.js';

/** Where the run of an event is read. */
export interface RunSource {
  readonly jobs: Pick<Stores['jobs'], 'get'>;
  readonly events: Pick<Stores['events'], 'read' | 'readRun'>;
}

/** Events of a page, which are all of a run that is held at once: an event may have many KB. */
const PAGE = 200;
/** Parks and ends, which are small. */
const ENDS_PAGE = 1000;

/**
 * What a sink may ask about the run of one event, read anew from row and log: nothing is kept
 * between two events.
 */
export function sinkRun({ jobs, events }: RunSource, event: StoredEvent, publicUrl: string | null = null): SinkRun {
  const job = async () => (event.jobId === '' ? null : jobs.get(event.jobId));
  return {
    links: linksOf(event, publicUrl),
    traceParent: async () => {
      const row = await job();
      return row === null ? null : runTraceParent(row);
    },
    trace: async () => {
      const row = await job();
      if (row === null) return null;
      const parts = async function* (signal: AbortSignal) {
        const { afterSeq, isLast } = await boundsOf(events, event, signal);
        const isCurrent = row.status !== 'running' && isLast;
        yield* traceParts({ job: { ...row, isCurrent }, last: event, afterSeq }, runEvents(events, event, signal));
      };
      return { ...traceHead(row, event), parts };
    },
  };
}

function linksOf({ jobId, payload }: StoredEvent, publicUrl: string | null): SinkLinks | null {
  if (publicUrl === null || jobId === '') return null;
  const links = linksBelow(publicUrl);
  const gate: unknown = Reflect.get(Object(payload), 'gate_id');
  return { run: links.run(jobId), gate: typeof gate === 'string' && gate !== '' ? links.gate(gate) : null };
}

/** Where the run was parked or ended before an event, and whether it never was after it. */
async function boundsOf(events: RunSource['events'], { jobId, seq }: StoredEvent, signal: AbortSignal) {
  let afterSeq = 0;
  let isLast = true;
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const page = await events.read({
      jobId,
      types: TELEMETRY_TYPES,
      limit: ENDS_PAGE,
      ...(after === '' ? {} : { after }),
    });
    for (const end of page.events) {
      if (end.seq < seq && closesSegment(end)) afterSeq = end.seq;
      if (end.seq > seq) isLast = false;
    }
    if (!page.hasMore) return { afterSeq, isLast };
    after = page.nextCursor;
  }
}

/** Events of the run up to one of them, a page at a time. */
async function* runEvents(
  events: RunSource['events'],
  { jobId, seq }: StoredEvent,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent, void> {
  for (let after = 0; after < seq; ) {
    signal.throwIfAborted();
    const page = await events.readRun(jobId, after, Math.min(PAGE, seq - after));
    signal.throwIfAborted();
    for (const event of page) {
      if (event.seq > seq) return;
      yield event;
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}
