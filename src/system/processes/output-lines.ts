import type { Readable } from 'node:stream';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

interface SplitResult {
  readonly lines: readonly string[];
  /** A line grew beyond the limit; nothing after it is looked at. */
  readonly isTooLong: boolean;
}

interface LineSplitter {
  push(chunk: Buffer): SplitResult;
  /** The last line when the stream ended without a newline; null when there is none. */
  end(): string | null;
}

/**
 * Cuts bytes into lines before it decodes them: a newline byte never lies inside a UTF-8 sequence,
 * so a sequence that was split over chunks is whole again when its line is decoded. Holds at most
 * `maxLineBytes` and one chunk.
 */
function createLineSplitter(maxLineBytes: number): LineSplitter {
  let parts: Buffer[] = [];
  let heldBytes = 0;

  const take = (rest: Buffer): string => {
    const line = parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
    parts = [];
    heldBytes = 0;
    return line.toString('utf8', 0, line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length);
  };

  const push = (chunk: Buffer): SplitResult => {
    const lines: string[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      if (heldBytes + at - from > maxLineBytes) return { lines, isTooLong: true };
      lines.push(take(chunk.subarray(from, at)));
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    if (heldBytes + rest.length > maxLineBytes) return { lines, isTooLong: true };
    if (rest.length > 0) parts.push(rest);
    heldBytes += rest.length;
    return { lines, isTooLong: false };
  };

  return { push, end: () => (heldBytes === 0 ? null : take(Buffer.alloc(0))) };
}

/** Bytes of lines that may wait for their reader before the pipe is held back. */
const HIGH_WATER_BYTES = 64 * 1024;
/**
 * After the last writer is gone: how long without a byte before a pipe that somebody out of reach
 * still holds is given up.
 */
const LINGER_MS = 250;

export type OutputFault = 'line_too_long' | 'output_too_large';

export interface OutputLinesOptions {
  readonly stream: Readable;
  readonly maxLineBytes: number;
  readonly maxOutputBytes: number | null;
  readonly onActivity: () => void;
  /** At most once; lines before the fault are still delivered, everything after it is dropped. */
  readonly onFault: (fault: OutputFault) => void;
}

export interface OutputLines {
  readonly lines: AsyncIterable<string>;
  /** The child wrote so many bytes elsewhere; they count, too. */
  alsoWrote(bytes: number): void;
  /** The reader is slow, so silence is not the child's fault. */
  isHeldBack(): boolean;
  /**
   * To be called when every writer is gone: takes what is left in the pipe (bounded by its buffer)
   * and ends the lines.
   */
  finish(): Promise<void>;
}

/** Lines that are pulled: while their reader is slow the pipe is not read, and the child blocks. */
export function createOutputLines(options: OutputLinesOptions): OutputLines {
  const { stream } = options;
  const queue = createLineQueue(() => stream.resume());
  const splitter = createLineSplitter(options.maxLineBytes);
  let totalBytes = 0;
  let hasFault = false;
  let isFinishing = false;
  let lastDataAtMs = performance.now();

  const fault = (kind: OutputFault): void => {
    hasFault = true;
    queue.close();
    options.onFault(kind);
  };

  stream.on('data', (chunk: Buffer) => {
    lastDataAtMs = performance.now();
    options.onActivity();
    if (hasFault) return;
    const allowed = options.maxOutputBytes === null ? chunk.length : Math.max(0, options.maxOutputBytes - totalBytes);
    totalBytes += chunk.length;
    const { lines, isTooLong } = splitter.push(chunk.subarray(0, allowed));
    queue.push(lines);
    if (isTooLong) fault('line_too_long');
    else if (allowed < chunk.length) fault('output_too_large');
    else if (!isFinishing && queue.waitingBytes() > HIGH_WATER_BYTES) stream.pause();
  });

  const alsoWrote = (bytes: number): void => {
    totalBytes += bytes;
    if (!hasFault && options.maxOutputBytes !== null && totalBytes > options.maxOutputBytes) fault('output_too_large');
  };

  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      const last = hasFault ? null : splitter.end();
      if (last !== null) queue.push([last]);
      queue.close();
      resolve();
    };
    for (const event of ['end', 'close', 'error']) stream.once(event, end);
  });

  const finish = async (): Promise<void> => {
    isFinishing = true;
    lastDataAtMs = performance.now();
    stream.resume();
    const timer = setInterval(() => {
      if (performance.now() - lastDataAtMs > LINGER_MS) stream.destroy();
    }, LINGER_MS / 5);
    await ended;
    clearInterval(timer);
  };

  return { lines: queue, alsoWrote, isHeldBack: () => stream.isPaused() && !hasFault, finish };
}

interface LineQueue extends AsyncIterable<string> {
  push(lines: readonly string[]): void;
  /** No more lines come. */
  close(): void;
  waitingBytes(): number;
}

/** @param onDrained the reader took the last waiting line, or went away */
function createLineQueue(onDrained: () => void): LineQueue {
  let waiting: string[] = [];
  let next = 0;
  let bytes = 0;
  let isClosed = false;
  let isAbandoned = false;
  let wake: () => void = () => {};

  const shift = (): string | undefined => {
    const line = waiting[next];
    if (line === undefined) return undefined;
    next += 1;
    bytes -= line.length;
    if (next === waiting.length) {
      waiting = [];
      next = 0;
      onDrained();
    }
    return line;
  };

  async function* read(): AsyncGenerator<string> {
    try {
      for (;;) {
        const line = shift();
        if (line !== undefined) yield line;
        else if (isClosed) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      // A reader that leaves early lets the child go on; what it still writes is dropped.
      isAbandoned = true;
      waiting = [];
      bytes = 0;
      onDrained();
    }
  }

  return {
    [Symbol.asyncIterator]: read,
    waitingBytes: () => bytes,
    push: (lines) => {
      if (isAbandoned) return;
      for (const line of lines) {
        waiting.push(line);
        bytes += line.length;
      }
      wake();
    },
    close: () => {
      isClosed = true;
      wake();
    },
  };
}
