import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';

/** Both sides know it: no certificate is needed for TLS in earnest. */
export const KEY = randomBytes(16);
const CIPHERS = 'PSK';

export interface Listening {
  readonly port: number;
  readonly server: Server;
}

export const listen = (server: Server): Promise<Listening> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve({ port: (server.address() as AddressInfo).port, server })),
  );

/** A server of TLS that answers each line with the same one. */
export const echoOverTls = (): Promise<Listening> =>
  listen(
    createTlsServer({ pskCallback: () => KEY, ciphers: CIPHERS, allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      socket.pipe(socket);
    }),
  );

/** TLS over a connection that is there. */
export function speakTls(socket: Socket, servername: string | undefined): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const tls = connectTls({
    socket,
    ...(servername === undefined ? {} : { servername }),
    ciphers: CIPHERS,
    pskCallback: () => ({ psk: KEY, identity: 'test' }),
    checkServerIdentity: () => undefined,
  });
  tls.once('secureConnect', () => resolve(tls));
  tls.once('error', reject);
  tls.once('close', () => reject(new Error('closed')));
  return promise;
}

export interface Asked {
  readonly status: number;
  readonly body: string;
  readonly socket: Socket;
}

/** Asks a proxy for a tunnel, in these very words. */
export function ask(port: number, words: string): Promise<Asked> {
  const { promise, resolve, reject } = Promise.withResolvers<Asked>();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  const onData = (chunk: Buffer): void => {
    text += chunk.toString('latin1');
    const isOpen = text.startsWith('HTTP/1.1 200');
    if (isOpen && text.includes('\r\n\r\n')) done();
  };
  const done = (): void => {
    socket.off('data', onData).off('end', done).off('error', done);
    resolve({ status: Number(text.slice(9, 12)), body: text.slice(text.indexOf('\r\n\r\n') + 4), socket });
  };
  socket.on('data', onData).on('end', done).on('error', reject);
  socket.write(words);
  return promise;
}

export const connectWords = (host: string): string => `CONNECT ${host} HTTP/1.1\r\nhost: ${host}\r\n\r\n`;

/** The first message of a client of TLS, as its library writes it. */
export function helloFor(servername: string | undefined): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const wire = new Duplex({
    read: () => {},
    write: (chunk: Buffer) => resolve(chunk),
  });
  const tls = connectTls({ socket: wire, ...(servername === undefined ? {} : { servername }) });
  tls.on('error', () => {});
  return promise.finally(() => tls.destroy());
}

/** Resolves when the other side has ended the connection, in whatever way. */
export function ended(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const event of ['end', 'close', 'error']) socket.once(event, () => resolve());
  socket.resume();
  return promise.finally(() => socket.destroy());
}

export const accept = (onConnection: (socket: Socket) => void): Promise<Listening> =>
  listen(createServer({ allowHalfOpen: true, pauseOnConnect: true }, onConnection));
