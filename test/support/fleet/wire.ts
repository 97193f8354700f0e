import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * `reset`: connections break at once. `silence`: nothing passes, nobody is told, and what was under
 * way arrives when it is healed.
 */
export type Cut = 'reset' | 'silence';

/** The wire between one process and its server. */
export interface Wire {
  readonly port: number;
  cut(how: Cut): void;
  /**
   * From the next time that this text comes by, what the process sends on that connection stays on
   * the wire until `heal`; what it sent before it goes on, in one piece with it or not.
   */
  holdAt(text: string): Promise<void>;
  heal(): void;
  close(): Promise<void>;
}

interface Pair {
  /** The process. */
  readonly near: Socket;
  /** The server. */
  readonly far: Socket;
  /** What the process has sent and the server may not see yet; null = everything passes. */
  held: Buffer[] | null;
}

export async function startWire(target: number): Promise<Wire> {
  const pairs = new Set<Pair>();
  let state: Cut | 'open' = 'open';
  let watch: { readonly text: string; readonly found: () => void } | null = null;
  const toServer = (pair: Pair, bytes: Buffer): void => {
    const at = pair.held === null && watch !== null ? bytes.indexOf(watch.text) : -1;
    if (at >= 0) {
      pair.far.write(bytes.subarray(0, at));
      pair.held = [bytes.subarray(at)];
      watch?.found();
      watch = null;
    } else if (pair.held !== null) pair.held.push(bytes);
    else if (!pair.far.destroyed) pair.far.write(bytes);
  };
  const server = createServer({ pauseOnConnect: true }, (near) => {
    if (state === 'reset') {
      near.on('error', () => undefined);
      near.resetAndDestroy();
      return;
    }
    const pair: Pair = { near, far: connect({ port: target, host: '127.0.0.1' }), held: null };
    pairs.add(pair);
    join(pair, { toServer: (bytes) => toServer(pair, bytes), onOver: () => pairs.delete(pair) });
    if (state === 'open') near.resume();
    else pause(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = (): void => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  };
  return {
    // Listening on a port gives an address with one.
    port: (server.address() as AddressInfo).port,
    cut: (how) => {
      state = how;
      if (how === 'reset') breakAll();
      else for (const pair of pairs) pause(pair);
    },
    holdAt: (text) =>
      new Promise((resolve) => {
        watch = { text, found: resolve };
      }),
    heal: () => {
      state = 'open';
      watch = null;
      for (const pair of pairs) {
        for (const bytes of pair.held ?? []) if (!pair.far.destroyed) pair.far.write(bytes);
        pair.held = null;
        pair.near.resume();
        pair.far.resume();
      }
    },
    close: async () => {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}

function pause({ near, far }: Pair): void {
  near.pause();
  far.pause();
}

/** Bytes go both ways, and the end of one side is the end of the other. */
function join(
  { near, far }: Pair,
  of: { readonly toServer: (bytes: Buffer) => void; readonly onOver: () => void },
): void {
  near.on('data', of.toServer);
  far.on('data', (bytes) => {
    if (!near.destroyed) near.write(bytes);
  });
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.setNoDelay(true);
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => {
      to.destroy();
      of.onOver();
    });
  }
}
