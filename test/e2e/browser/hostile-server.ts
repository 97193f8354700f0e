import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';

/** Where a page comes from. */
export interface PageSource {
  readonly port: number;
  readonly close: () => Promise<void>;
}

const PAGE = '<!doctype html><title>hostile</title><body><script src="/attack.js"></script></body>';

/** A server on a port of its own, whose page does nothing until it is told to. */
export async function serveHostilePage(): Promise<PageSource> {
  const script = await readFile(new URL('attack-page.mjs', import.meta.url), 'utf8');
  const server = createServer((request, response) => {
    const isScript = request.url === '/attack.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? script : PAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // listening on a port gives an address with one
    close: async () => {
      const closed = once(server, 'close');
      server.closeAllConnections();
      server.close();
      await closed;
    },
  };
}

/** One address that leads to another server after `rebind`, as a name whose owner rebinds it. */
export interface ReboundName extends PageSource {
  readonly rebind: () => void;
}

export async function reboundName(from: number, to: number): Promise<ReboundName> {
  let target = from;
  const open = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
  };
  const drop = (): void => {
    for (const socket of open) socket.destroy();
  };
  const server = createTcpServer((socket) => {
    const other = keep(connect(target, '127.0.0.1'));
    keep(socket).pipe(other).pipe(socket);
    socket.on('close', () => other.destroy());
    other.on('close', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    rebind: () => {
      target = to;
      drop();
    },
    close: async () => {
      const closed = once(server, 'close');
      drop();
      server.close();
      await closed;
    },
  };
}
