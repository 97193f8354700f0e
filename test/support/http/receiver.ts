import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request that a receiver got. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** How it answers the n-th request, from 0. Doing nothing leaves the caller waiting. */
export type Behaviour = (n: number, response: ServerResponse) => void;

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_n, response) =>
    void response.writeHead(code, headers).end('an answer that nobody reads');
export const hang: Behaviour = () => {};
export const hangUp: Behaviour = (_n, response) => void response.destroy();
/** One behaviour a request, the last one for all that follow. */
export const inTurn =
  (...turns: readonly Behaviour[]): Behaviour =>
  (n, response) =>
    turns[Math.min(n, turns.length - 1)]?.(n, response);

/** A real HTTP server that gets what is posted; it ends with the test. */
export async function openReceiver(
  behave: Behaviour = status(204),
): Promise<{ readonly url: string; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      received.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: text === '' ? null : JSON.parse(text),
      });
      behave(received.length - 1, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  // listening on a port gives an address with one
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?key=a-secret-key`, received };
}
