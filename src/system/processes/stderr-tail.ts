import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

/** As for stdout: a pipe that somebody out of reach still holds is given up after this. */
const LINGER_MS = 250;
/** Colour codes are cut out at the end, so more is kept than is given. */
const SPARE_FACTOR = 2;
/** Control characters but tab and newline: they would move the cursor of whoever reads the tail. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

export interface StderrTail {
  /** To be called when every writer is gone; the last bytes of stderr as plain text. */
  finish(): Promise<string>;
}

/** Reads stderr all the time, so that it never blocks the child, and keeps its end. */
export function createStderrTail(stream: Readable, maxBytes: number, onWritten: (bytes: number) => void): StderrTail {
  const keptBytes = maxBytes * SPARE_FACTOR;
  let chunks: Buffer[] = [];
  let heldBytes = 0;
  stream.on('data', (chunk: Buffer) => {
    onWritten(chunk.length);
    chunks.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes > keptBytes * SPARE_FACTOR) {
      chunks = [Buffer.from(Buffer.concat(chunks).subarray(-keptBytes))];
      heldBytes = keptBytes;
    }
  });
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.once(event, () => resolve());
  });

  return {
    finish: async () => {
      const timer = setTimeout(() => stream.destroy(), LINGER_MS);
      await ended;
      clearTimeout(timer);
      return plainTail(Buffer.concat(chunks), maxBytes);
    },
  };
}

/** The last `maxBytes` of a text without escape sequences, beginning with a whole character. */
export function plainTail(bytes: Buffer, maxBytes: number): string {
  const text = stripVTControlCharacters(bytes.toString('utf8'))
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replace(CONTROL, '');
  const plain = Buffer.from(text, 'utf8');
  let from = Math.max(0, plain.length - maxBytes);
  while (from < plain.length && isContinuation(plain[from])) from += 1;
  return plain.toString('utf8', from);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
