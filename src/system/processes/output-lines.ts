import type { Readable } from 'node:stream';
import { createLineSplitter } from './line-splitter.js';

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
