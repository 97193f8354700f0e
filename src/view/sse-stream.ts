import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../domain/ports/system.js';

/** A comment: readers skip it. */
const HEARTBEAT = Buffer.from(': alive\n\n');
/** How long a reader that was cut off waits before it comes back. */
export const FIRST_FRAME = Buffer.from('retry: 2000\n\n');
/** Proxies close a connection on which nothing passes (docs/jobs.md#following). */
const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for so long, although something waits for it, is gone. */
const STALLED_MS = 60_000;

export interface SseParts<T> {
  readonly items: AsyncIterable<T>;
  readonly frameOf: (item: T) => Buffer;
  readonly first: Buffer;
  /** Ends the stream without a last frame. */
  readonly signal: AbortSignal;
  /** Called when the reader does not read. */
  readonly onStalled: () => void;
  /** Defaults: 15 s and 60 s. */
  readonly heartbeatMs?: number;
  readonly stalledMs?: number;
}

/**
 * The bytes of a stream, pulled by whoever sends them: a reader that is slow is behind in the log
 * and holds nothing here. Between two frames a comment passes now and then.
 */
export async function* sseBytes<T>(parts: SseParts<T>): AsyncGenerator<Buffer> {
  const items = parts.items[Symbol.asyncIterator]();
  const { heartbeatMs = HEARTBEAT_MS } = parts;
  try {
    yield* watched(parts, parts.first);
    let next = items.next();
    while (!parts.signal.aborted) {
      const got = await orAfter(next, heartbeatMs);
      if (got === null) {
        yield* watched(parts, HEARTBEAT);
        continue;
      }
      if (got.done === true) return;
      yield* watched(parts, parts.frameOf(got.value));
      next = items.next();
    }
  } finally {
    await items.return?.();
  }
}

/** The time from handing the bytes out to being asked for more is the reader's. */
function* watched(
  { onStalled, stalledMs = STALLED_MS }: Pick<SseParts<never>, 'onStalled' | 'stalledMs'>,
  bytes: Buffer,
): Generator<Buffer> {
  const stalled = setTimeout(onStalled, stalledMs);
  try {
    yield bytes;
  } finally {
    clearTimeout(stalled);
  }
}

/** The next item, or null after `ms`. */
async function orAfter<T>(next: Promise<IteratorResult<T>>, ms: number): Promise<IteratorResult<T> | null> {
  const beat = Promise.withResolvers<null>();
  const timer = setTimeout(() => beat.resolve(null), ms);
  try {
    return await Promise.race([next, beat.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** How often it is asked whether the reader of a stream may still read (docs/auth.md#streams). */
const ADMISSION_MS = 15_000;

/**
 * Ends an answer that stays open soon after its caller is no longer let in. Where nobody can tell,
 * it ends too: whoever comes back is told why.
 */
export function endWhenRefused(
  { isStillAdmitted }: Pick<FastifyRequest, 'isStillAdmitted'>,
  reply: FastifyReply,
  end: () => void,
): void {
  const timer = setInterval(() => {
    void isStillAdmitted().then((is) => {
      if (!is) end();
    }, end);
  }, ADMISSION_MS);
  timer.unref();
  reply.raw.once('close', () => clearInterval(timer));
}

/** Bytes that wait for one reader at most, beside what its socket holds. */
const MAX_WAITING_BYTES = 64 * 1024;

/**
 * Answers with a stream of events. `over` is aborted when the reader has gone, whoever closed, or
 * is no longer let in.
 */
export function sendStream<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  of: Pick<SseParts<T>, 'items' | 'frameOf' | 'signal'> & {
    readonly over: AbortController;
    readonly job: string;
    readonly log: Pick<Log, 'warn'>;
  },
): FastifyReply {
  const onStalled = (): void => {
    of.log.warn('a stream was dropped: its reader does not read', {
      request_id: request.id,
      job: of.job,
    });
    stream.destroy();
    request.raw.socket.destroy();
  };
  const bytes = sseBytes({ items: of.items, frameOf: of.frameOf, first: FIRST_FRAME, signal: of.signal, onStalled });
  const stream = Readable.from(bytes, { objectMode: false, highWaterMark: MAX_WAITING_BYTES });
  // The stream itself closes only when its source has ended, which waits for this.
  reply.raw.once('close', () => of.over.abort('closed'));
  endWhenRefused(request, reply, () => of.over.abort('refused'));
  return reply
    .type('text/event-stream')
    .header('cache-control', 'no-cache')
    .header('x-accel-buffering', 'no')
    .send(stream);
}
