import { KitError } from '../domain/errors.js';
import { withoutTrailingSlashes } from '../lib/show-url.js';

/** By which names a server is known (`server` of the workspace). */
export interface KnownNames {
  /** `server.public_url`; null = not written. */
  readonly publicUrl: string | null;
  /** `server.allowed_hosts`: `name` or `name:port`, lower case. */
  readonly allowedHosts: readonly string[];
}

/** What of a request tells how the server was reached. */
export interface Reached {
  /** Header `Host` as it came. */
  readonly host: string | undefined;
  /** The address that the connection came in at. */
  readonly localAddress: string | undefined;
  readonly localPort: number | undefined;
}

const OWN_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** `http://name:port` of a Host that is a name and a port and nothing else; null = it is none. */
function originOf(host: string): URL | null {
  const text = `http://${host}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.href === `${url.origin}/` && host !== '' ? url : null;
}

function isKnown({ hostname, host }: URL, { allowedHosts }: KnownNames): boolean {
  return [...OWN_NAMES, ...allowedHosts].some((name) => name === hostname || name === host);
}

/** A dual socket tells an IPv4 address as `::ffff:127.0.0.1`. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * Where a client finds this server again, without a slash at its end: `server.public_url`, else the
 * Host of the request if it is a name of this machine or an allowed one, else the address that the
 * request came in at. Headers of proxies are never read: anybody can send them.
 */
export function baseUrl(names: KnownNames, { host, localAddress, localPort }: Reached): string {
  if (names.publicUrl !== null) return withoutTrailingSlashes(names.publicUrl);
  const asked = originOf((host ?? '').toLowerCase());
  if (asked !== null && isKnown(asked, names)) return asked.origin;
  const address = plainAddress(localAddress ?? '127.0.0.1');
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort ?? 80}`;
}

/** The same of a request as HTTP frameworks hand it over. */
export const baseUrlOf = (names: KnownNames, { headers, socket }: Requested): string =>
  baseUrl(names, { host: headers.host, localAddress: socket.localAddress, localPort: socket.localPort });

interface Requested {
  readonly headers: { readonly host?: string | undefined };
  readonly socket: { readonly localAddress?: string | undefined; readonly localPort?: number | undefined };
}

/** Where a server listens that nobody told (docs/design/decisions.md#server-defaults). */
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8000;
/** What a server binds that is reached from everywhere: here it is this machine. */
const ANYWHERE: readonly string[] = ['0.0.0.0', '::', ''];

/**
 * Where a server of these settings is found, without a slash at its end, when no request tells.
 * Throws KIT_USAGE where nobody can know.
 */
export function addressOf({ publicUrl, host, port }: AddressSettings): string {
  if (publicUrl !== null) return withoutTrailingSlashes(publicUrl);
  if (port === 0)
    throw new KitError('KIT_USAGE', 'server.port is 0, any free port: where the server is, its first line tells', {
      hint: 'Name the server: --server URL',
    });
  const name = host === null || ANYWHERE.includes(host) ? DEFAULT_HOST : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port ?? DEFAULT_PORT}`;
}

/** `server` of a workspace, as far as it says where a server is. Null: not written. */
export interface AddressSettings {
  readonly publicUrl: string | null;
  readonly host: string | null;
  readonly port: number | null;
}

/** A colon in a path says nothing else, and ids of gates hold one. */
const inPath = (id: string): string => encodeURIComponent(id).replaceAll('%3A', ':');

/** Addresses for people; a browser that opens one is led to the page that shows it. */
export interface Links {
  readonly run: (id: string) => string;
  readonly gate: (id: string) => string;
  /** Of a review item. */
  readonly item: (id: string) => string;
  /** All runs. */
  readonly runs: string;
  /** Where one begins: what waits for whoever looks. */
  readonly home: string;
}

/** Below `base`, an absolute URL with or without a slash at its end. An id leads nowhere else. */
export function linksBelow(base: string): Links {
  const root = withoutTrailingSlashes(base);
  return {
    run: (id) => `${root}/jobs/${inPath(id)}`,
    gate: (id) => `${root}/gates/${inPath(id)}`,
    item: (id) => `${root}/review/${inPath(id)}`,
    runs: `${root}/console/runs`,
    home: `${root}/console/`,
  };
}
