import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isKitError } from '../domain/errors.js';
import type { StoredEvent } from '../domain/events.js';
import { isParked, isTerminal, type Job } from '../domain/job.js';
import { fieldsOf, isTrueAt, maybeObjectAt, objectsAt } from '../lib/read-json.js';
import { fromWireEvent } from '../view/schemas/event.js';
import { findRun, jobIn, type RemoteContext } from './remote-context.js';

/** A server that does not answer is asked again for so long, in milliseconds. */
const PATIENCE_MS = 120_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
const PAGE = 1_000;

/** What the log of a server holds of a run now, after `afterSeq`. */
export async function* eventsUntilNow(
  context: RemoteContext,
  { run, afterSeq, signal }: { readonly run: string; readonly afterSeq: number; readonly signal?: AbortSignal },
): AsyncGenerator<StoredEvent> {
  let seq = afterSeq;
  while (signal?.aborted !== true) {
    const { events, hasMore } = await pageOf(context, { run, afterSeq: seq });
    yield* events;
    const last = events.at(-1);
    if (last === undefined || !hasMore) return;
    seq = last.seq;
  }
}

/** A page of events, with the run as it was before they were read where that is asked. */
async function pageOf(
  { client }: RemoteContext,
  { run, afterSeq, withRun = false }: { readonly run: string; readonly afterSeq: number; readonly withRun?: boolean },
) {
  const query = { after_seq: afterSeq, limit: PAGE, ...(withRun ? { job: true } : {}) };
  const page = fieldsOf(
    await client.read(client.http.GET('/jobs/{id}/events', { params: { path: { id: run }, query } })),
  );
  const job = maybeObjectAt(page, 'job');
  return {
    events: objectsAt(page, 'events').map(fromWireEvent),
    hasMore: isTrueAt(page, 'has_more'),
    job: job === null ? null : jobIn(job),
  };
}

/** How a followed run came out. */
export interface FollowedEnd {
  /** The row once it has ended or waits; null: the reader went before. */
  readonly job: Job | null;
}

/**
 * The events of a run as they are committed, until it has ended or waits for people: each once and
 * in order, however often the stream breaks. Returns the row at the end. Throws what the server
 * refuses with, and KIT_SERVER_UNREACHABLE when nothing could be heard for two minutes.
 */
export async function* followEvents(
  context: RemoteContext,
  { run, afterSeq, signal }: { readonly run: string; readonly afterSeq: number; readonly signal: AbortSignal },
): AsyncGenerator<StoredEvent, FollowedEnd> {
  let seq = afterSeq;
  let brokenMs = 0;
  let pauseMs = FIRST_PAUSE_MS;
  const onOpen = (): void => {
    brokenMs = 0;
  };
  while (!signal.aborted) {
    try {
      for await (const event of framesOf(context, { run, afterSeq: seq, signal, onOpen })) {
        if (event.seq <= seq) continue;
        // A server that lost its place tells from the log what lies between.
        if (event.seq > seq + 1)
          for await (const missed of eventsUntilNow(context, { run, afterSeq: seq, signal })) {
            if (missed.seq >= event.seq) break;
            yield missed;
          }
        yield event;
        seq = event.seq;
        pauseMs = FIRST_PAUSE_MS;
      }
      if (signal.aborted) break;
      const rest = await pageOf(context, { run, afterSeq: seq, withRun: true });
      for (const event of rest.events) {
        yield event;
        seq = event.seq;
      }
      // A server of an older version tells nothing of the run there.
      const job = rest.hasMore ? null : (rest.job ?? (await findRun(context, run)));
      if (job !== null && (isTerminal(job.status) || isParked(job.status))) {
        if (rest.job === null) yield* eventsUntilNow(context, { run, afterSeq: seq, signal });
        return { job };
      }
    } catch (error) {
      if (signal.aborted) break;
      if (!mayPass(error) || brokenMs >= PATIENCE_MS) throw error;
    }
    await context.pause(pauseMs, signal);
    brokenMs += pauseMs;
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
  return { job: null };
}

/** One connection: whole events, until the server says that it is done or the connection ends. */
async function* framesOf(
  { client }: RemoteContext,
  of: {
    readonly run: string;
    readonly afterSeq: number;
    readonly signal: AbortSignal;
    readonly onOpen: () => void;
  },
): AsyncGenerator<StoredEvent> {
  const { run, afterSeq, signal, onOpen } = of;
  const response = await client.stream(`/jobs/${encodeURIComponent(run)}/stream?format=event`, { afterSeq, signal });
  onOpen();
  if (response.body === null) return;
  const frames = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of frames) {
    if (!data.startsWith('{')) return;
    yield fromWireEvent(JSON.parse(data));
  }
}

/** What may be over in a moment; anything that breaks a stream on the way is not a refusal. */
const mayPass = (error: unknown): boolean => !isKitError(error) || PASSING.has(error.code);

const PASSING: ReadonlySet<string> = new Set([
  'KIT_SERVER_UNREACHABLE',
  'KIT_NOT_READY',
  'KIT_STORE_BUSY',
  'KIT_STORE_UNAVAILABLE',
  'KIT_CAPACITY',
]);
