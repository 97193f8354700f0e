/** A host that a container may reach over TLS: `sandbox.allow` of an adapter. */
export interface AllowedHost {
  /** Lower case, without a dot at the end. */
  readonly name: string;
  /** `*.example.org`: the names below it, and not the name itself. */
  readonly isBelow: boolean;
  readonly port: number;
}

const HTTPS = 443;
const MAX_NAME = 253;
const NAME = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)+$/;
/** The last part of a name is never a number, that of an address always is. */
const ADDRESS = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;

/** `api.example.org`, `*.example.org`, `api.example.org:8443`; or why it is none of them. */
export function readAllowedHost(entry: string): AllowedHost | { readonly problem: string } {
  if (entry.includes('/')) return { problem: 'is an address of a page; write the name of its host' };
  const [host = '', port, ...rest] = entry.toLowerCase().split(':');
  if (rest.length > 0) return { problem: 'is an address; write the name of a host' };
  const isBelow = host.startsWith('*.');
  const name = hostName(isBelow ? host.slice(2) : host);
  if (name === null) return { problem: 'is not the name of a host, such as api.example.org or *.example.org' };
  if (ADDRESS.test(name)) return { problem: 'is an address; write the name of a host' };
  const number = port === undefined ? HTTPS : portOf(port);
  return number === null ? { problem: 'names no port from 1 to 65535' } : { name, isBelow, port: number };
}

/** Null: a name that nobody has. One of a single part, such as `localhost`, is none either. */
export function hostName(text: string): string | null {
  const name = text.toLowerCase().replace(/\.$/, '');
  return name.length <= MAX_NAME && NAME.test(name) ? name : null;
}

/** Null: no port. */
export function portOf(text: string): number | null {
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

/** Whether a host that is asked for stands on the list; its name is one of `hostName`. */
export function isAllowedHost(list: readonly AllowedHost[], asked: { readonly name: string; readonly port: number }) {
  return list.some(
    ({ name, isBelow, port }) =>
      port === asked.port && (isBelow ? asked.name.endsWith(`.${name}`) : asked.name === name),
  );
}
