import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Something that listens where a kit server is expected, and what was asked of it. */
export interface OddServer {
  readonly url: string;
  readonly asked: readonly { readonly path: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/** `answer` may pass the request on to a real server: then `null`. */
export async function openOddServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<OddServer> {
  const asked: { path: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization });
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A server by a long line. */
export interface FarServer extends OddServer {
  /** Ways there and back: requests that go at once count as one. */
  rounds(): number;
}

/** Passes every request on `delayMs` later, and every answer as late. */
export async function passOn(to: string, delayMs: number): Promise<FarServer> {
  let [rounds, under] = [0, 0];
  const server = await openOddServer((request, response) => {
    if (under === 0) rounds += 1;
    under += 1;
    response.on('close', () => {
      under -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const later = async (): Promise<void> => {
      const { host: _, connection: __, ...headers } = request.headers;
      const body = Buffer.concat(chunks);
      const far = await fetch(`${to}${request.url ?? ''}`, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(body.length === 0 ? {} : { body }),
      });
      const kept = [...far.headers].filter(([name]) => !HOPS.includes(name));
      const reported = Buffer.from(await far.arrayBuffer());
      setTimeout(() => {
        response.writeHead(far.status, Object.fromEntries(kept));
        response.end(reported);
      }, delayMs);
    };
    request.on('end', () => setTimeout(() => void later(), delayMs));
  });
  return { ...server, rounds: () => rounds };
}

/** What holds from one machine to the next alone. */
const HOPS = ['content-length', 'transfer-encoding', 'connection', 'content-encoding'];
