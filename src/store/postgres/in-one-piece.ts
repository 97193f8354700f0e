import type { Writable } from 'node:stream';
import type { Client } from 'pg';

/** What the driver writes to; it does not stand in its types. */
interface Wired {
  readonly connection?: { readonly stream?: Pick<Writable, 'cork' | 'uncork'> };
}

/**
 * Queries of one turn go out in one piece: the driver writes to the network for each of them, and a
 * write costs about as much as the statement. Nothing waits for it but the turn itself.
 */
export function inOnePiece(client: Client): Pick<Client, 'query'> {
  let isHeld = false;
  const hold = (): void => {
    // With TLS the driver puts another stream in its place once it is connected.
    const stream = (client as Wired).connection?.stream;
    if (isHeld || stream === undefined) return;
    isHeld = true;
    stream.cork();
    queueMicrotask(() => {
      isHeld = false;
      stream.uncork();
    });
  };
  // The same overloads: each is handed on as it came.
  const query = ((...asked: unknown[]): unknown => {
    hold();
    return Reflect.apply(client.query, client, asked);
  }) as Client['query'];
  return { query };
}
