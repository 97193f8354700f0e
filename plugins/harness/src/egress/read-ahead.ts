import type { Socket } from 'node:net';

/** What a connection was waited for, and did not bring. */
export type Missing = 'late' | 'gone' | 'too long';

/** A client of any kind writes what it begins with in a few pieces. */
const MAX_PIECES = 256;

export interface ReadAhead<T> {
  /** Asked with all that came so far; null: not yet. `used`: how much of it was read. */
  readonly find: (bytes: Buffer) => { readonly found: T; readonly used: number } | null;
  readonly maxBytes: number;
  /** From now on, however often something comes. */
  readonly timeoutMs: number;
}

/**
 * Reads the beginning of a paused connection, and leaves it paused; what was not used of it is read
 * again by whoever comes next.
 */
export function readAhead<T>(socket: Socket, { find, maxBytes, timeoutMs }: ReadAhead<T>): Promise<T | Missing> {
  const { promise, resolve } = Promise.withResolvers<T | Missing>();
  let bytes: Buffer = Buffer.alloc(0);
  let pieces = 0;
  const done = (end: T | Missing): void => {
    clearTimeout(timer);
    socket.off('data', onData).off('end', onGone).off('close', onGone);
    socket.pause();
    resolve(end);
  };
  const onGone = (): void => done('gone');
  const onData = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    pieces += 1;
    const end = find(bytes);
    if (end !== null) {
      done(end.found);
      if (end.used < bytes.length) socket.unshift(bytes.subarray(end.used));
    } else if (bytes.length > maxBytes || pieces > MAX_PIECES) done('too long');
  };
  const timer = setTimeout(() => done('late'), timeoutMs);
  if (socket.destroyed || socket.readableEnded) done('gone');
  else socket.on('data', onData).once('end', onGone).once('close', onGone).resume();
  return promise;
}
