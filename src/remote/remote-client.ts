import createClient, { type Client } from 'openapi-fetch';
import { isKitError, KitError } from '../domain/errors.js';
import type { JsonObject } from '../domain/json.js';
import { fromWire } from '../view/schemas/codec.js';
import type { HeldOf } from '../view/schemas/words.js';
import { type Answer, bodyOf, otherThanKit, refusalOf, type SentToken } from './answers.js';
import type { paths } from './generated/openapi.js';
import type { ServerAddress } from './server-address.js';

/** What a client is made of. */
export interface ClientParts {
  readonly address: ServerAddress;
  /** Null: none is sent. */
  readonly token: SentToken | null;
  readonly fetch: typeof fetch;
  /** Version of this kit. */
  readonly version: string;
}

/** One client of one server, out of the document that it publishes. */
export interface RemoteClient {
  readonly http: Client<paths>;
  readonly base: string;
  /**
   * The body of a good answer. Throws the refusal of the server as the error of the use case,
   * KIT_SERVER_UNREACHABLE, KIT_SERVER_ANSWER.
   */
  read(
    answering: Promise<{ readonly response: Response; readonly data?: unknown; readonly error?: unknown }>,
  ): Promise<unknown>;
  /** What the program holds of a good answer, by its schema. Throws as `read`. */
  readAs<S extends JsonObject>(schema: S, answering: Parameters<RemoteClient['read']>[0]): Promise<HeldOf<S>>;
  /** The bytes of an event stream after an event. Throws as `read`. */
  stream(path: string, from: { readonly afterSeq: number; readonly signal: AbortSignal }): Promise<Response>;
  /**
   * Id of the run that a request begins whose answer is a stream; the stream is left. Throws as
   * `read`.
   */
  begin(path: string, body: object): Promise<string>;
}

/** The longest wait for the head of an answer. */
const ANSWER_MS = 60_000;

/** Throws KIT_SERVER_INSECURE where a token would go over plain http to another machine. */
export function createRemoteClient({ address, token, fetch, version }: ClientParts): RemoteClient {
  const { base } = address;
  const asked = { base, version, tokenFrom: token?.from ?? null };
  if (token !== null && !address.isPrivate)
    throw new KitError('KIT_SERVER_INSECURE', `a token does not go to ${base} over plain http`);
  const headers = {
    accept: 'application/json',
    'kit-words': 'commands',
    ...(token === null ? {} : { authorization: `Bearer ${token.text}` }),
  };
  const send: typeof fetch = async (input, init) => {
    const late = AbortSignal.timeout(ANSWER_MS);
    const signal = input instanceof Request && input.signal !== null ? AbortSignal.any([input.signal, late]) : late;
    try {
      return await fetch(input, { ...init, redirect: 'manual', signal });
    } catch (error) {
      throw unreachable(base, error);
    }
  };
  const streaming = async (path: string, init: RequestInit): Promise<Response> => {
    const own = { ...init, headers: { ...init.headers, accept: 'text/event-stream' }, redirect: 'manual' } as const;
    const response = await fetch(`${base}${path}`, own).catch((error: unknown) => {
      throw unreachable(base, error);
    });
    const head = headOf(response);
    if (response.status === 200 && head.mediaType === 'text/event-stream') return response;
    const text = await response.text().catch(() => '');
    const answer = { ...head, body: jsonOf(text) };
    throw head.status < 300 ? otherThanKit({ ...answer, kitVersion: null }, asked, null) : refusalOf(answer, asked);
  };
  const http = createClient<paths>({
    baseUrl: base,
    headers,
    fetch: (request) => send(request),
    // Any text is one part of a path, also where the document calls it `*`.
    pathSerializer: (path, values) =>
      path.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => encodeURIComponent(String(values[name]))),
  });
  const read: RemoteClient['read'] = async (answering) => {
    const { response, data, error } = await answering.catch((thrown: unknown) => {
      if (isKitError(thrown)) throw thrown;
      // Called JSON by whoever sent it, or by nobody.
      if (thrown instanceof SyntaxError)
        throw new KitError('KIT_SERVER_ANSWER', `${base} answers with what is not JSON: it is not a kit server`);
      throw unreachable(base, thrown);
    });
    const body = data ?? error;
    return bodyOf({ ...headOf(response), body: typeof body === 'object' && body !== null ? body : undefined }, asked);
  };
  return {
    http,
    base,
    read,
    readAs: async (schema, answering) => fromWire(schema, await read(answering)),
    stream: async (path, { afterSeq, signal }) => {
      const from = afterSeq === 0 ? {} : { 'last-event-id': String(afterSeq) };
      return streaming(path, { headers: { ...headers, ...from }, signal });
    },
    begin: async (path, body) => {
      const left = new AbortController();
      const json = { ...headers, 'content-type': 'application/json' };
      const sent = { method: 'POST', headers: json, body: JSON.stringify(body), signal: left.signal };
      const response = await streaming(path, sent);
      const [, run] = /\/jobs\/([\w-]+)$/.exec(response.headers.get('location') ?? '') ?? [];
      left.abort('left');
      if (run === undefined) throw new KitError('KIT_SERVER_ANSWER', `${base} does not say which run it began`);
      return run;
    },
  };
}

function headOf({ status, headers }: Response): Omit<Answer, 'body'> {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return {
    status,
    mediaType: (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    kitVersion: headers.get('kit-version'),
    retryAfter: Number.isFinite(seconds) ? Math.ceil(seconds) : null,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Why it does not answer, without an address that somebody else resolved. */
function unreachable(base: string, error: unknown): KitError {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const why = isLate ? `no answer within ${ANSWER_MS / 1000} s` : (code ?? 'the connection broke');
  return new KitError('KIT_SERVER_UNREACHABLE', `${base} cannot be reached: ${WORDS[why] ?? why}`, {
    hint: `Check the address and the network, and whether the server runs: ${base}/health`,
  });
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there (ECONNREFUSED)',
  ENOTFOUND: 'there is no such host (ENOTFOUND)',
  EAI_AGAIN: 'its name cannot be resolved now (EAI_AGAIN)',
  ECONNRESET: 'the connection broke (ECONNRESET)',
  UND_ERR_SOCKET: 'the connection broke',
};
