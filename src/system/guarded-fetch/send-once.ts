import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { CheckedAddress } from '../../domain/ports/outbound.js';
import { outboundFailed, whyFailed } from './failures.js';

/** One hop, to an address that was checked. */
export interface Sending {
  readonly url: URL;
  readonly addresses: readonly CheckedAddress[];
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly signal: AbortSignal;
}

/** Hands out nothing but what was checked, whatever is asked for. */
const fixedLookup =
  (addresses: readonly CheckedAddress[]): LookupFunction =>
  (_host, options, done) => {
    if (options.all === true) return done(null, [...addresses]);
    const [first] = addresses;
    return first === undefined ? done(new Error('no address'), '') : done(null, first.address, first.family);
  };

/** Sends one request and answers with its headers. Throws KIT_OUTBOUND_FAILED. */
export function sendOnce({ url, addresses, method, headers, body, signal }: Sending): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let isSent = false;
  const options: RequestOptions = {
    method,
    headers: {
      ...headers,
      'accept-encoding': 'identity',
      ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    // A connection of its own: one that is kept would outlive the check of its address.
    agent: false,
    lookup: fixedLookup(addresses),
    signal,
  };
  const sending = url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
  sending.once('socket', (socket) => {
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      isSent = true;
    });
  });
  sending.once('response', resolve);
  // It may fail after its headers as well; the body tells then.
  sending.on('error', (error) => reject(outboundFailed(url, whyFailed(error, signal), { isSent, cause: error })));
  sending.end(body ?? undefined);
  return promise;
}
