import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Personality } from './personalities.js';
import type { Protocol, RecordedRequest } from './protocol.js';
import type { Reply, ReplyOf } from './reply.js';

export interface ProviderServer {
  /** `base_url` of a provider: http://127.0.0.1:<port> and the path of the protocol. */
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Everything in which a request broke the format; such a request gets status 400. */
  readonly problems: readonly string[];
  /** Appends replies to the script: one is used for each request. */
  script(...replies: readonly ReplyOf[]): void;
  /** Ends every open connection and the server. */
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Default 0: any that is free. */
  readonly port?: number;
  /** Each changes what the one before it made of a reply. */
  readonly personalities?: readonly Personality[];
}

/**
 * A real HTTP server on the loopback that speaks one wire format and refuses what breaks it.
 * Replies come from the script, in order of the requests; beyond its end the answer is `fallback`
 * (default: the text "ok"), which may depend on the request.
 */
export async function startProviderServer(
  protocol: Protocol,
  fallback: ReplyOf = { do: 'answer', text: 'ok' },
  { port = 0, personalities = [] }: ServerOptions = {},
): Promise<ProviderServer> {
  const requests: RecordedRequest[] = [];
  const problems: string[] = [];
  const script: ReplyOf[] = [];
  const answer = (response: ServerResponse, request: RecordedRequest): void => {
    requests.push(request);
    const found = [
      ...protocol.problems(request),
      ...personalities.flatMap((personality) => personality.problems?.(request, protocol) ?? []),
    ];
    problems.push(...found);
    const next = script.shift() ?? fallback;
    const replyTo = (): Reply =>
      personalities.reduce(
        (reply, { changed }) => changed?.(reply, request, protocol) ?? reply,
        typeof next === 'function' ? next(request) : next,
      );
    const reply = found.length > 0 ? ({ do: 'status', status: 400, message: found.join('; ') } as const) : replyTo();
    give({ protocol, response, request }, reply);
  };
  const server = createServer((request, response) => {
    record(request)
      .then((recorded) => answer(response, recorded))
      .catch((error: unknown) => {
        problems.push(String(error));
        response.destroy();
      });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}${protocol.basePath}`,
    requests,
    problems,
    script: (...replies) => void script.push(...replies),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function record(request: IncomingMessage): Promise<RecordedRequest> {
  const bytes: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) bytes.push(piece);
  const body = JSON.parse(Buffer.concat(bytes).toString('utf8') || 'null');
  return { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
}

interface Giving {
  readonly protocol: Protocol;
  readonly response: ServerResponse;
  readonly request: RecordedRequest;
}

function give(giving: Giving, reply: Reply): void {
  const { protocol, response, request } = giving;
  const isStream = protocol.isStream(request);
  switch (reply.do) {
    case 'answer':
      if (isStream) stream(giving, protocol.chunks(reply, request), (open) => open.end());
      else sendJson(response, 200, protocol.whole(reply, request));
      break;
    case 'drip':
      if (isStream) drip(giving, protocol.chunks(reply, request), reply.between).catch(() => response.destroy());
      else sendJson(response, 200, protocol.whole(reply, request));
      break;
    case 'status':
      sendJson(
        response,
        reply.status,
        protocol.error(reply.message ?? `status ${reply.status}`, reply.code ?? reply.status),
        reply.headers,
      );
      break;
    case 'silence':
      break;
    case 'hold':
      reply.until.then(
        () => give(giving, reply.reply),
        () => response.destroy(),
      );
      break;
    case 'stall':
      begin(giving, reply.text, () => {});
      break;
    case 'cut':
      begin(giving, reply.text, (open) => (reply.how === 'reset' ? open.socket?.resetAndDestroy() : open.end()));
      break;
    case 'malformed':
      begin(giving, reply.text ?? '', (open) => open.end(isStream ? protocol.malformed : ' oops'));
      break;
    case 'stream-error':
      if (isStream) begin(giving, reply.text, (open) => open.end(protocol.streamError(reply.message, reply.code)));
      else sendJson(response, 500, protocol.error(reply.message, reply.code));
      break;
  }
}

/** The first part of an answer, flushed to the client before `then` goes on. */
function begin(giving: Giving, text: string, then: (open: ServerResponse) => void): void {
  const { protocol, response, request } = giving;
  if (protocol.isStream(request)) {
    const chunks = protocol.chunks({ text }, request);
    stream(giving, chunks.slice(0, chunks.length - protocol.endings), then);
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(JSON.stringify(protocol.whole({ text }, request)).slice(0, -20), () => then(response));
}

function stream({ protocol, response }: Giving, chunks: readonly string[], then: (open: ServerResponse) => void): void {
  response.writeHead(200, { 'content-type': protocol.streamType, 'cache-control': 'no-cache' });
  response.write(chunks.join(''), () => then(response));
}

async function drip(
  { protocol, response }: Giving,
  chunks: readonly string[],
  between: () => Promise<unknown>,
): Promise<void> {
  response.writeHead(200, { 'content-type': protocol.streamType, 'cache-control': 'no-cache' });
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0) await between();
    if (response.destroyed) return;
    response.write(chunk);
  }
  response.end();
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
