import { hostName, portOf } from '@kit-run/kit/plugin';

/** Where a program wants to go; or what it asked instead, and the host if it named one. */
export type ConnectRequest =
  | { readonly kind: 'connect'; readonly name: string; readonly port: number }
  | { readonly kind: 'refused'; readonly host: string; readonly port: number; readonly why: string };

/** Nobody needs more to ask for a tunnel. */
export const MAX_HEAD = 8 * 1024;

const LINE = /^([A-Z]{1,20}) ([^ ]{1,2048}) HTTP\/1\.[01]$/;
const PLAIN = 'it is asked for without TLS; only https is let through';

/** What a program asks of its proxy, from the head of its request. */
export function readConnect(head: string): ConnectRequest {
  const [, method, target = ''] = LINE.exec(head.slice(0, Math.max(0, head.indexOf('\r\n')))) ?? [];
  if (method === undefined) return refused('', 0, 'what it asks is not a request to a proxy');
  if (method !== 'CONNECT') {
    const url = URL.parse(target);
    return refused(shown(url?.hostname ?? ''), Number(url?.port || 80), PLAIN);
  }
  const colon = target.lastIndexOf(':');
  const port = portOf(target.slice(colon + 1));
  const host = target.slice(0, Math.max(0, colon));
  if (colon < 0 || port === null) return refused(shown(target), 0, 'it names no port');
  const name = hostName(host);
  return name === null ? refused(shown(host), port, 'it is not the name of a host') : { kind: 'connect', name, port };
}

const refused = (host: string, port: number, why: string): ConnectRequest => ({ kind: 'refused', host, port, why });

/** As much of it as an address or a name can have, and nothing that a terminal obeys. */
const shown = (host: string): string => host.replaceAll(/[^\w.:[\]-]/g, '?').slice(0, 253);
