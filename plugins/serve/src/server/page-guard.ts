import type { IncomingHttpHeaders } from 'node:http';
import type { PreparedServer } from '@kit-run/kit/command';
import { KitError } from '@kit-run/kit/plugin';

/** By which names a server without authentication is called. */
export type PageRules = NonNullable<PreparedServer['pages']>;

/** Judges the headers of a request. Null: it goes on. */
export type PageGuard = (headers: IncomingHttpHeaders) => KitError | null;

/** Names that no page elsewhere can have for an address of this machine. */
const OWN_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const urlOf = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

/**
 * For servers where nobody is authenticated: there a browser that visits a foreign page carries all
 * the rights. A name that such a page has given this address (DNS rebinding), or a page of another
 * origin, is refused, whatever it asks and however: KIT_HOST_REFUSED, KIT_ORIGIN_REFUSED, both 403.
 * `localhost:3000` is another origin than `localhost:8000`; `null`, the origin of sandboxed pages
 * and files, is another one too. A request without these headers comes from no page and passes.
 */
export function createPageGuard(rules: PageRules, corsOrigins: readonly string[]): PageGuard {
  const { isHostChecked, allowedHosts, publicUrl } = rules;
  const own = urlOf(publicUrl ?? '');
  const hosts = new Set([...OWN_NAMES, ...allowedHosts, ...(own === null ? [] : [own.hostname])]);
  const isAnyOrigin = corsOrigins.includes('*');
  const listed = new Set([...corsOrigins, ...(own === null ? [] : [own.origin])]);

  const isKnownHost = (host: string): boolean => {
    const url = urlOf(`http://${host}`);
    // A host that holds more than a name and a port is none.
    if (url === null || url.pathname !== '/' || `${url.username}${url.password}${url.search}${url.hash}` !== '')
      return false;
    return hosts.has(url.hostname) || hosts.has(host.toLowerCase());
  };
  const isKnownOrigin = (origin: string, host: string | undefined): boolean =>
    isAnyOrigin || listed.has(origin) || (host !== undefined && isOwnOrigin(origin, host));

  return (headers) => {
    const { host, origin } = headers;
    if (isHostChecked && host !== undefined && !isKnownHost(host)) return hostRefused();
    if (origin !== undefined) return isKnownOrigin(origin, host) ? null : originRefused();
    return headers['sec-fetch-site'] === 'cross-site' && !isAnyOrigin ? originRefused() : null;
  };
}

/**
 * Whether a page came from the server that it calls as `host`. What stands in front of a server may
 * speak TLS: the scheme says nothing, its port does.
 */
export function isOwnOrigin(origin: string, host: string): boolean {
  const page = urlOf(origin);
  if (page === null || page.origin !== origin || !/^https?:$/.test(page.protocol)) return false;
  return urlOf(`${page.protocol}//${host}`)?.host === page.host;
}

const hostRefused = (): KitError =>
  new KitError('KIT_HOST_REFUSED', 'this server has no authentication, and is not meant to be called by this Host');

const originRefused = (): KitError =>
  new KitError('KIT_ORIGIN_REFUSED', 'this server has no authentication, and a page of another origin sent this');
