import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A line to a server that a test cuts and fixes: what a server that is gone looks like from
 * outside.
 */
export interface CutProxy {
  /** The URL of the server by way of this line. */
  readonly url: string;
  /**
   * `cut`: connections break and none is made. `silent`: connections are made and nothing ever
   * answers. `whole`: as if it were not there.
   */
  set(state: 'whole' | 'cut' | 'silent'): void;
  /** From now on connections are made to this server. */
  lead(target: string): void;
  close(): Promise<void>;
}

export async function openCutProxy(target: string): Promise<CutProxy> {
  let to = new URL(target);
  const sockets = new Set<Socket>();
  let state: 'whole' | 'cut' | 'silent' = 'whole';
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    keep(socket);
    if (state === 'cut') socket.destroy();
    if (state !== 'whole') return;
    const far = keep(connect(Number(to.port), to.hostname));
    socket.pipe(far).pipe(socket);
    socket.on('close', () => far.destroy());
    far.on('close', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Listening on a port gives an address with one.
  const { port } = server.address() as AddressInfo;
  const url = Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(port) }).href;
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url,
    set: (next) => {
      state = next;
      if (next === 'cut') drop();
      if (next === 'silent') for (const socket of sockets) socket.unpipe().pause();
    },
    lead: (next) => {
      to = new URL(next);
    },
    close: async () => {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
