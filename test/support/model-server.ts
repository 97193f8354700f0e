import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chunks, completion, type ScriptedAnswer, sendJson, sse } from './model-server-wire.js';

export type { ScriptedAnswer, ScriptedCall, ScriptedUsage } from './model-server-wire.js';

/** What the server does with one request. `answer` and the faults work for streamed and whole answers alike. */
export type Reply =
  /** A good answer; `calls` may name unknown tools and hold arguments that are no JSON. */
  | ({ readonly do: 'answer' } & ScriptedAnswer)
  /** An HTTP status with the usual error body: 401, 400, 429 (with `retryAfter`), 500, 503, 529. */
  | { readonly do: 'status'; readonly status: number; readonly message?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Takes the request and never says a word; ends when the client or the test closes. */
  | { readonly do: 'silence' }
  /** Takes the request, and gives `reply` once the test lets it. */
  | { readonly do: 'hold'; readonly until: Promise<unknown>; readonly reply: Reply }
  /** Says `text` and then nothing more, with the connection open. */
  | { readonly do: 'stall'; readonly text: string }
  /** Breaks the answer off after `text`: `reset` kills the connection, `end` closes it in good order. */
  | { readonly do: 'cut'; readonly text: string; readonly how: 'reset' | 'end' }
  /** An answer, or a chunk after `text`, that is no JSON. */
  | { readonly do: 'malformed'; readonly text?: string }
  /** A stream that begins with `text` and then carries an error object. Not streamed: the status alone. */
  | { readonly do: 'stream-error'; readonly text: string; readonly code: number | string; readonly message: string };

export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever they expect the request to hold.
  readonly body: any;
}

export interface ModelServer {
  /** `base_url` of a provider: http://127.0.0.1:<port>/v1 */
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Appends replies to the script: one is used for each request. */
  script(...replies: readonly (Reply | ((request: RecordedRequest) => Reply))[]): void;
  /** Ends every open connection and the server. */
  close(): Promise<void>;
}

/**
 * A real HTTP server on a free port of the loopback that speaks OpenAI chat completions. Replies come from the script, in order
 * of the requests; beyond its end the answer is `fallback` (default: the text "ok"), which may depend on the request.
 */
export async function startModelServer(fallback: Reply | ((request: RecordedRequest) => Reply) = { do: 'answer', text: 'ok' }): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const script: (Reply | ((request: RecordedRequest) => Reply))[] = [];
  const server = createServer((request, response) => {
    record(request).then(
      (recorded) => {
        requests.push(recorded);
        const next = script.shift() ?? fallback;
        give(response, typeof next === 'function' ? next(recorded) : next, recorded.body);
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
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
  return { path: request.url ?? '', headers: request.headers, body: JSON.parse(Buffer.concat(bytes).toString('utf8')) };
}

interface WireRequest {
  readonly model: string;
  readonly stream?: boolean;
}

function give(response: ServerResponse, reply: Reply, body: WireRequest): void {
  const isStream = body.stream === true;
  switch (reply.do) {
    case 'answer':
      if (isStream) stream(response, [...chunks(reply, body.model), '[DONE]'], (open) => open.end());
      else sendJson(response, 200, completion(reply, body.model));
      break;
    case 'status':
      sendJson(response, reply.status, errorBody(reply.message ?? `status ${reply.status}`, reply.status), reply.headers);
      break;
    case 'silence':
      break;
    case 'hold':
      reply.until.then(
        () => give(response, reply.reply, body),
        () => response.destroy(),
      );
      break;
    case 'stall':
      begin(response, reply.text, body, () => {});
      break;
    case 'cut':
      begin(response, reply.text, body, (open) => (reply.how === 'reset' ? open.socket?.resetAndDestroy() : open.end()));
      break;
    case 'malformed':
      begin(response, reply.text ?? '', body, (open) => open.end(isStream ? sse('{"choices": [{"delta": oops') : ' oops'));
      break;
    case 'stream-error':
      if (isStream) begin(response, reply.text, body, (open) => open.end(sse(errorBody(reply.message, reply.code))));
      else sendJson(response, 500, errorBody(reply.message, reply.code));
      break;
  }
}

/** The first part of an answer, flushed to the client before `then` goes on. */
function begin(response: ServerResponse, text: string, body: WireRequest, then: (open: ServerResponse) => void): void {
  if (body.stream === true) {
    // Without the finish reason and the usage, which come last.
    stream(response, chunks({ text }, body.model).slice(0, -2), then);
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(JSON.stringify(completion({ text }, body.model)).slice(0, -20), () => then(response));
}

function stream(response: ServerResponse, data: readonly unknown[], then: (open: ServerResponse) => void): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.write(data.map(sse).join(''), () => then(response));
}

function errorBody(message: string, code: number | string): unknown {
  return { error: { message, type: 'test_error', param: null, code } };
}
