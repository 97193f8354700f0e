import { type JsonObject, type Refusal, type RefusalHandler, systemCode } from '@kit-run/kit/plugin';
import type { FetchLike } from '../sdk/parts.js';
import type { RequestEnds } from './request-ends.js';

/** A request that certainly did not reach the server. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  /** Whether the server may be there later: a wrong certificate does not fix itself. */
  readonly isDown: boolean;

  constructor(message: string, options: { readonly cause: unknown; readonly isDown: boolean }) {
    super(message, { cause: options.cause });
    this.isDown = options.isDown;
  }
}

/** An answer larger than any call in flight may have. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

export interface BoundedFetchParts {
  readonly fetch: typeof globalThis.fetch;
  /** Headers of every request, resolved at the moment they are needed and kept nowhere. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly maxBytes: () => number;
  /** Called with a refusal before anything else is made of it; what it throws is the answer. */
  readonly refused: RefusalHandler;
  /** Called with what the response to a request turns out to be. */
  readonly ends: Pick<RequestEnds, 'onTooLarge' | 'onWhole'>;
}

/** Errors of a connection that never came about: not a byte of the request was written. */
const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const BEFORE_SENDING = new Set([
  ...NO_CONNECTION,
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
]);

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** What the client has just written. */
const messageOf = (body: unknown): JsonObject | null =>
  typeof body === 'string' ? (JSON.parse(body) as JsonObject) : null;

/**
 * The id of a request; an answer to the server has one as well, and means another request by it.
 */
const idOf = (message: JsonObject | null): number | null =>
  message !== null && typeof message.id === 'number' && message.method !== undefined ? message.id : null;

/**
 * Answers to what the server asks by itself that are under way at the same time: one that takes
 * none could ask for all sockets of the process.
 */
const MAX_ANSWERS = 16;

/**
 * Passes bytes on until one message has had too many. A stream of events holds many messages: an
 * empty line ends each.
 */
function bounded(
  body: ReadableStream<Uint8Array>,
  isStream: boolean,
  maxBytes: () => number,
  onTooLarge: () => void,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  const count = (chunk: Uint8Array): void => {
    const last = isStream ? lastEventEnd(chunk) : -1;
    bytes = last === -1 ? bytes + chunk.length : chunk.length - last;
  };
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        count(chunk);
        if (bytes > maxBytes()) {
          onTooLarge();
          controller.error(new TooLarge(`an answer has more than ${maxBytes()} bytes`));
        } else controller.enqueue(chunk);
      },
    }),
  );
}

/** Where the last empty line of the chunk ends; -1 = there is none. */
function lastEventEnd(chunk: Uint8Array): number {
  for (let at = chunk.lastIndexOf(NEWLINE); at > 0; at = chunk.lastIndexOf(NEWLINE, at - 1)) {
    if (chunk[at - 1] === NEWLINE || (chunk[at - 1] === CARRIAGE_RETURN && chunk[at - 2] === NEWLINE)) return at;
  }
  return -1;
}

const isRefusal = ({ status }: Response): boolean => status === 401 || status === 403;

const refusalOf = ({ status, headers }: Response, carried: Refusal['carried']): Refusal => ({
  status,
  challenge: headers.get('www-authenticate'),
  carried,
});

const isIn =
  (values: readonly string[]): Refusal['carried'] =>
  (value) =>
    values.some((one) => one.includes(value));

/** Tells what never reached the server from what may have. */
function unsent(error: unknown): never {
  const code = systemCode(error) ?? '';
  throw BEFORE_SENDING.has(code)
    ? new NotSent('the server cannot be reached', { cause: error, isDown: NO_CONNECTION.has(code) })
    : error;
}

/**
 * `fetch` for one connection: headers at the point of use, answers bounded, and a word for what was
 * never sent.
 */
export function createBoundedFetch({ fetch, headers, maxBytes, refused, ends }: BoundedFetchParts): FetchLike {
  let answers = 0;
  const bounding = async <T>(isAnswer: boolean, send: () => Promise<T>): Promise<T> => {
    if (!isAnswer) return send();
    if (answers >= MAX_ANSWERS) throw new Error('the server asks more than it takes answers');
    answers += 1;
    return send().finally(() => {
      answers -= 1;
    });
  };
  return async (url, init) => {
    const message = messageOf(init?.body);
    const id = idOf(message);
    const isAnswer = message !== null && message.method === undefined;
    const send = async () => {
      const sent = new Headers(init?.headers);
      for (const [name, value] of Object.entries(await headers())) sent.set(name, value);
      const response = await bounding(isAnswer, () => fetch(url, { ...init, headers: sent })).catch(unsent);
      return { sent: [...sent.values()], response };
    };
    const first = await send();
    let { response } = first;
    if (isRefusal(response) && (await refused(refusalOf(response, isIn(first.sent))))) {
      await response.body?.cancel();
      response = (await send()).response;
      if (isRefusal(response)) await refused(refusalOf(response, () => true));
    }
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    if (id !== null && !isStream) ends.onWhole(id);
    if (response.body === null) return response;
    const body = bounded(response.body, isStream, maxBytes, () => id !== null && ends.onTooLarge(id));
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}
