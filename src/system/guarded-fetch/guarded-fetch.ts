import { lookup as dnsLookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { KitError } from '../../domain/errors.js';
import type { OutboundAddresses, OutboundBounds, OutboundFetch, OutboundRules } from '../../domain/ports/outbound.js';
import { type AddressJudge, createAddressJudge } from './addresses.js';
import { outboundFailed, whyFailed } from './failures.js';
import { type Lookup, resolveHost } from './resolve-host.js';
import { sendOnce } from './send-once.js';

const DEFAULTS: OutboundBounds = { timeoutMs: 20_000, maxBytes: 1024 * 1024, maxRedirects: 3, isStream: false };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Answers that have no body, which `Response` insists on. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);
/** What is meant for one origin alone. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie']);

export interface GuardedFetchParts {
  /** Asked with each request: a reload may change them. */
  readonly rules: () => Promise<OutboundRules> | OutboundRules;
  /** Default: the resolver of the system. */
  readonly lookup?: Lookup;
}

/** See `OutboundFetch`. */
export function createGuardedFetch({ rules, lookup = resolveAll }: GuardedFetchParts): OutboundFetch {
  return async (text, init = {}) => {
    const { timeoutMs, maxRedirects } = { ...DEFAULTS, ...init };
    const judge = createAddressJudge(await rules());
    const timeout = new AbortController();
    const signal = init.signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, init.signal]);
    const timer = setTimeout(() => timeout.abort('timeout'), timeoutMs);
    const stop = (): void => clearTimeout(timer);
    try {
      let hop: Hop = { url: judgedUrl(text), headers: init.headers ?? {} };
      for (let hops = 0; ; hops += 1) {
        const message = await send(hop, init, { judge, lookup, signal });
        const next = maxRedirects === 0 ? null : redirectOf(hop, message, init.method);
        if (next === null) return responseOf(hop.url, message, { ...DEFAULTS, ...init }, { signal, stop });
        message.destroy();
        if (hops >= maxRedirects) throw refused(hop.url, `redirects more than ${maxRedirects} times`);
        hop = next;
      }
    } catch (error) {
      stop();
      throw error;
    }
  };
}

/** See `OutboundAddresses`. */
export function createOutboundAddresses({
  rules,
  lookup = resolveAll,
}: {
  readonly rules: () => Promise<Pick<OutboundRules, 'allow'>>;
  readonly lookup?: Lookup;
}): OutboundAddresses {
  return async (host) => {
    const judge = createAddressJudge({ ...(await rules()), isLocal: false });
    return resolveHost(new URL(`https://${host}`), lookup, judge);
  };
}

interface Hop {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

const resolveAll: Lookup = (host) => dnsLookup(host, { all: true });

const refused = (url: URL, why: string): KitError =>
  new KitError('KIT_OUTBOUND_REFUSED', `${url.host} ${why}`, { data: { host: url.host } });

/** Throws KIT_OUTBOUND_REFUSED for what is not an address of a web server. */
function judgedUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  const why =
    url === null
      ? 'is not a URL'
      : url.protocol !== 'http:' && url.protocol !== 'https:'
        ? 'is neither http nor https'
        : url.username !== '' || url.password !== ''
          ? 'holds a user or a password'
          : null;
  if (url !== null && why === null) return url;
  // The text may hold a secret, and be of any length.
  throw new KitError('KIT_OUTBOUND_REFUSED', `the address ${why}`);
}

async function send(
  { url, headers }: Hop,
  { method = 'GET', body = null }: { readonly method?: string; readonly body?: string | Uint8Array | null },
  of: { readonly judge: AddressJudge; readonly lookup: Lookup; readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  of.signal.throwIfAborted();
  const addresses = await orAborted(url, of.signal, resolveHost(url, of.lookup, of.judge));
  const message = await sendOnce({ url, addresses, method, headers, body, signal: of.signal });
  const encoding = message.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return message;
  message.destroy();
  throw outboundFailed(url, 'answers in an encoding that was not asked for', { isSent: true });
}

/** A resolver takes no signal. */
async function orAborted<T>(url: URL, signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(outboundFailed(url, 'did not answer in time', { isSent: false }));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    work.catch(() => {}); // it was told by the race, or nobody waits any more
  }
}

/** Where to next; null = this is the answer. */
function redirectOf({ url, headers }: Hop, message: IncomingMessage, method = 'GET'): Hop | null {
  const { location } = message.headers;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isRead || location === undefined || !REDIRECTS.has(message.statusCode ?? 0)) return null;
  try {
    const next = judgedUrl(location, url);
    if (url.protocol === 'https:' && next.protocol === 'http:') throw refused(url, 'redirects from https to http');
    const kept = Object.entries(headers).filter(
      ([name]) => next.origin === url.origin || !OWN_HEADERS.has(name.toLowerCase()),
    );
    return { url: next, headers: Object.fromEntries(kept) };
  } catch (error) {
    message.destroy();
    throw error;
  }
}

function responseOf(
  url: URL,
  message: IncomingMessage,
  bounds: OutboundBounds,
  of: { readonly signal: AbortSignal; readonly stop: () => void },
): Response {
  const status = message.statusCode ?? 0;
  if (status < 200 || status > 599) {
    message.destroy();
    throw outboundFailed(url, `answers with the status ${status}`, { isSent: true });
  }
  if (bounds.isStream) of.stop();
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers))
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  const isEmpty = EMPTY.has(status);
  if (isEmpty) {
    message.destroy();
    of.stop();
  }
  const body = isEmpty ? null : bodyOf(message, bounded(url, message, bounds, of), of.stop);
  const response = new Response(body, { status, headers });
  Object.defineProperty(response, 'url', { value: url.href });
  return response;
}

/** A body that is given up before its first byte was asked for holds no connection and no timer. */
function bodyOf(
  message: IncomingMessage,
  bytes: AsyncGenerator<Uint8Array>,
  stop: () => void,
): ReadableStream<Uint8Array> {
  const readable = Readable.from(bytes);
  readable.once('close', () => {
    stop();
    message.destroy();
  });
  return Readable.toWeb(readable) as ReadableStream<Uint8Array>;
}

async function* bounded(
  url: URL,
  message: IncomingMessage,
  { maxBytes, isStream }: OutboundBounds,
  { signal, stop }: { readonly signal: AbortSignal; readonly stop: () => void },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    // Node's message gives buffers as long as no encoding is set.
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (!isStream && bytes > maxBytes)
        throw outboundFailed(url, `answers with more than ${maxBytes} bytes`, { isSent: true });
      yield chunk;
    }
  } catch (error) {
    throw error instanceof KitError
      ? error
      : outboundFailed(url, whyFailed(error, signal), { isSent: true, cause: error });
  } finally {
    stop();
    message.destroy();
  }
}
