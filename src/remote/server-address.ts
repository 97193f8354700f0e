import { KitError } from '../domain/errors.js';
import { withoutTrailingSlashes } from '../lib/show-url.js';
import { oneLine } from '../view/lines/words.js';

/** A server as it was named. */
export interface ServerAddress {
  /** What requests go below: origin and path, without a slash at its end. */
  readonly base: string;
  /** Scheme, host and port: what a token belongs to. */
  readonly origin: string;
  /** A token may go there: https, or this machine. */
  readonly isPrivate: boolean;
}

/** A page of the console, as a browser shows its address; people are sent such a link. */
const CONSOLE = /\/console(?:\/.*)?$/;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The address of a page of the console stands for its server. Throws KIT_USAGE for what is not an
 * address of a server, or holds a user, a query or a fragment.
 */
export function serverAddress(text: string): ServerAddress {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new KitError('KIT_USAGE', `${oneLine(text, 200)} is not an address of a server`, {
      hint: 'Write it whole, in --server or KIT_SERVER: https://kit.example.com',
    });
  const isPage = CONSOLE.test(url.pathname);
  // What looks like a secret is not said again.
  if (url.username !== '' || url.password !== '' || (!isPage && `${url.search}${url.hash}` !== ''))
    throw new KitError('KIT_USAGE', `the address of ${url.host} holds more than scheme, host and path`, {
      hint: 'Leave user, password and query out; a key is kept with `kit auth login <address>` or stands in KIT_TOKEN.',
    });
  return {
    base: `${url.origin}${withoutTrailingSlashes(url.pathname.replace(CONSOLE, ''))}`,
    origin: url.origin,
    isPrivate: url.protocol === 'https:' || LOOPBACK.has(url.hostname),
  };
}
