import { connect, type LookupFunction, type Socket } from 'node:net';
import type { CheckedAddress } from '@kit-run/kit/plugin';

/** Hands out what was checked, and asks nobody anew. */
const fixed =
  (addresses: readonly CheckedAddress[]): LookupFunction =>
  (_host, options, done) => {
    if (options.all === true) return done(null, [...addresses]);
    const [first] = addresses;
    return first === undefined ? done(new Error('no address'), '') : done(null, first.address, first.family);
  };

/** Connects to the first of the addresses that answers. Rejects when none does in time. */
export function connectTo(
  to: { readonly host: string; readonly port: number; readonly addresses: readonly CheckedAddress[] },
  { timeoutMs, onOpen }: { readonly timeoutMs: number; readonly onOpen: (socket: Socket) => void },
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const { host, port, addresses } = to;
  const socket = connect({ host, port, lookup: fixed(addresses), autoSelectFamily: true, allowHalfOpen: true });
  onOpen(socket);
  const timer = setTimeout(() => socket.destroy(new Error('it did not answer in time')), timeoutMs);
  socket.once('connect', () => {
    clearTimeout(timer);
    resolve(socket);
  });
  socket.on('error', reject);
  socket.once('close', () => {
    clearTimeout(timer);
    reject(new Error('it went away'));
  });
  return promise;
}

/** Whether a side is through: nothing more comes from it, and all that was for it went out. */
const isThrough = ({ readableEnded, writableFinished }: Socket): boolean => readableEnded && writableFinished;

/**
 * Carries bytes both ways until both sides are through; a side may end and go on to listen. One
 * that breaks off, or with which nothing happens for `idleMs`, takes the other one with it.
 */
export function join(one: Socket, other: Socket, idleMs: number): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.setTimeout(idleMs, () => from.destroy());
    from.once('close', () => {
      if (!isThrough(from)) to.destroy();
    });
    if (from.destroyed) to.destroy();
    else from.pipe(to);
  }
}
