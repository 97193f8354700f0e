import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `reset`: connections break at once. `silence`: nothing passes, nobody is told, and what was under way arrives when it is healed. */
export type Cut = 'reset' | 'silence';

/** The wire between one process and its server. */
export interface Wire {
  readonly port: number;
  cut(how: Cut): void;
  heal(): void;
  close(): Promise<void>;
}

export async function startWire(target: number): Promise<Wire> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: Cut | 'open' = 'open';
  const server = createServer({ pauseOnConnect: true }, (near) => {
    if (state === 'reset') {
      near.on('error', () => undefined);
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port: target, host: '127.0.0.1' });
    const pair = [near, far] as const;
    pairs.add(pair);
    join(near, far, () => pairs.delete(pair));
    if (state === 'open') for (const socket of pair) socket.resume();
    else for (const socket of pair) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
  };
  return {
    // Listening on a port gives an address with one.
    port: (server.address() as AddressInfo).port,
    cut: (how) => {
      state = how;
      if (how === 'reset') breakAll();
      else for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    heal: () => {
      state = 'open';
      for (const pair of pairs) for (const socket of pair) socket.resume();
    },
    close: async () => {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Bytes go both ways, and the end of one side is the end of the other. */
function join(near: Socket, far: Socket, onOver: () => void): void {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.setNoDelay(true);
    from.on('data', (bytes) => {
      if (!to.destroyed) to.write(bytes);
    });
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => {
      to.destroy();
      onOver();
    });
  }
}
