import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A request of the server as the library of MCP takes one; its body was read already. */
export function webRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && !name.startsWith(':')) headers.set(name, value);
  // Nobody reads the address: what is asked stands in the body.
  return new Request('http://kit.invalid/mcp/', { method: request.method, headers, signal });
}

const isStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true;

/** Sends what the library answered, as it is. */
export async function sendWeb(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  if (response.body === null) return reply.send();
  // Its own type of the same stream.
  if (isStream(response)) return reply.send(Readable.fromWeb(response.body as ReadableStream));
  return reply.send(Buffer.from(await response.arrayBuffer()));
}
