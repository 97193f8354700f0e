import type { StreamItem } from '@kit-run/kit/command';
import { HEARTBEAT } from './sse-frames.js';

/** Proxies close a connection on which nothing passes (gaps D8). */
const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for so long, although something waits for it, is gone. */
const STALLED_MS = 60_000;

export interface SseParts {
  readonly items: AsyncIterable<StreamItem>;
  readonly frameOf: (item: StreamItem) => Buffer;
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
 * The bytes of a stream, pulled by whoever sends them: a reader that is slow is behind in the log and holds nothing here. Between two
 * frames a comment passes now and then.
 */
export async function* sseBytes(parts: SseParts): AsyncGenerator<Buffer> {
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
function* watched({ onStalled, stalledMs = STALLED_MS }: SseParts, bytes: Buffer): Generator<Buffer> {
  const stalled = setTimeout(onStalled, stalledMs);
  try {
    yield bytes;
  } finally {
    clearTimeout(stalled);
  }
}

/** The next item, or null after `ms`. */
async function orAfter(next: Promise<IteratorResult<StreamItem>>, ms: number): Promise<IteratorResult<StreamItem> | null> {
  const beat = Promise.withResolvers<null>();
  const timer = setTimeout(() => beat.resolve(null), ms);
  try {
    return await Promise.race([next, beat.promise]);
  } finally {
    clearTimeout(timer);
  }
}
