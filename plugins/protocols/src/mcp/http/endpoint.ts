import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { baseUrlOf, endWhenRefused } from '@kit-run/kit/command';
import { type Caller, isDeepMessage, isObject, type Json, type Log, type Served } from '@kit-run/kit/plugin';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { agentServer } from '../agent-server.js';
import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } from '../sdk/parts.js';
import { type HttpUses, httpBackend } from './http-backend.js';

/** A request of the server as the library of MCP takes one; its body was read already. */
function webRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && !name.startsWith(':')) headers.set(name, value);
  // Nobody reads the address: what is asked stands in the body.
  return new Request('http://kit.invalid/mcp/', { method: request.method, headers, signal });
}

const isStream = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true;

/** Sends what the library answered, as it is. */
async function sendWeb(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  if (response.body === null) return reply.send();
  // Its own type of the same stream.
  if (isStream(response)) return reply.send(Readable.fromWeb(response.body as ReadableStream));
  return reply.send(Buffer.from(await response.arrayBuffer()));
}

/** What the endpoint is made of. */
export interface EndpointParts extends Served<HttpUses> {
  /** Of kit. */
  readonly version: string;
  readonly log: Log;
}

/**
 * Answers requests of both revisions of the protocol, each by itself: nothing is kept between two.
 */
export interface Endpoint {
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** Of one request. */
interface Exchange {
  readonly caller: Caller;
  readonly base: string;
  readonly over: AbortSignal;
}

/** Whether some message of a body asks for progress: then its answer is a stream. */
export function asksForProgress(body: Json | undefined): boolean {
  const messages: readonly (Json | undefined)[] = Array.isArray(body) ? body : [body];
  return messages.some((message) => {
    const params = isObject(message) ? message.params : undefined;
    const meta = isObject(params) ? params._meta : undefined;
    return isObject(meta) && meta.progressToken !== undefined;
  });
}

const TOO_DEEP = Buffer.from(
  JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32_600, message: 'Invalid Request: the message is nested deeper than any that is meant' },
  }),
);

/** A client that waits for news of the server, for as long as it likes. */
const isListening = (body: Json | undefined): boolean => isObject(body) && body.method === 'subscriptions/listen';

/** The library hands it from the request to the server that answers it; it is not a token. */
const authOf = (exchange: Exchange) => ({
  token: '',
  clientId: exchange.caller.clientId,
  scopes: [],
  extra: { exchange },
});
/** Put there by the lines above. */
const exchangeOf = (extra: Record<string, unknown> | undefined): Exchange => extra?.exchange as Exchange;

const isCancel = (message: Json): boolean => isObject(message) && message.method === 'notifications/cancelled';

/**
 * A cancel over HTTP stops nothing. In a batch it would take back the calls beside it, which nobody
 * would answer then, and the request would stay open.
 */
const withoutCancels = (body: Json | undefined): Json | undefined =>
  Array.isArray(body) && !body.every(isCancel) ? body.filter((message) => !isCancel(message)) : body;

export function createEndpoint(parts: EndpointParts): Endpoint {
  const { app, workspace, closing, version, log } = parts;
  const serverOf = (exchange: Exchange, era: 'legacy' | 'modern') =>
    agentServer(httpBackend({ app, workspace }, { ...exchange, log }), {
      version,
      title: app.serve.current().name,
      era,
    });
  const modern = createMcpHandler(({ authInfo }) => serverOf(exchangeOf(authInfo?.extra), 'modern'), {
    legacy: 'reject',
    onerror: (error) => log.debug('a request over MCP was refused', { error }),
  });
  app.serve.onReload(() => modern.notify.toolsChanged());
  /** What ends by itself soon after the server begins to stop. */
  const answering = new Set<Promise<unknown>>();
  closing.addEventListener('abort', () => void Promise.all(answering).then(() => modern.close()), { once: true });

  async function legacy(request: Request, body: Json | undefined, exchange: Exchange): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !asksForProgress(body) });
    const server = serverOf(exchange, 'legacy');
    await server.connect(transport);
    request.signal.addEventListener('abort', () => void server.close(), { once: true });
    return transport.handleRequest(request, { parsedBody: withoutCancels(body) });
  }

  return {
    answer: async (request, reply) => {
      const body = request.body as Json | undefined; // JSON was parsed, or nothing was sent
      if (isDeepMessage(body)) return reply.code(400).type('application/json').send(TOO_DEEP);
      const gone = new AbortController();
      const ended = Promise.withResolvers<void>();
      reply.raw.once('close', () => {
        gone.abort('closed');
        answering.delete(ended.promise);
        ended.resolve();
      });
      const over = AbortSignal.any([gone.signal, closing]);
      const { server } = app.serve.current();
      const exchange = { caller: request.caller, base: baseUrlOf(server, request), over };
      if (!isListening(body)) answering.add(ended.promise);
      const asked = webRequest(request, gone.signal);
      const response = (await isLegacyRequest(asked, body))
        ? await legacy(asked, body, exchange)
        : await modern.fetch(asked, { parsedBody: body, authInfo: authOf(exchange) });
      if (isStream(response)) endWhenRefused(request, reply, () => reply.raw.destroy());
      return sendWeb(reply, response);
    },
  };
}
