import { isKitError, isObject, type OutboundFetch } from '@kit-run/kit/plugin';
import { textAt, textsAt } from './values.js';

/** What a protected resource says of itself (RFC 9728). */
export interface ResourceMetadata {
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** As it names itself; null = it has no metadata. */
  readonly resource: string | null;
  /** What its 401 asked for; null = nothing. */
  readonly challenged: readonly string[] | null;
  /** It answers 401 to who has no token. */
  readonly isClosed: boolean;
}

const MAX_HEADER_CHARS = 8_000;
const ACCEPT = { accept: 'application/json, text/event-stream' };

function parameterIn(header: string | null, name: string): string | null {
  const found = new RegExp(`\\b${name}=(?:"([^"\\\\]{1,2000})"|([^\\s",]{1,2000}))`, 'i').exec(
    (header ?? '').slice(0, MAX_HEADER_CHARS),
  );
  return found?.[1] ?? found?.[2] ?? null;
}

/** Address of the metadata in a `WWW-Authenticate`; null = it names none. */
export const metadataIn = (header: string | null): string | null => parameterIn(header, 'resource_metadata');

/** Scopes that a `WWW-Authenticate` asks for; null = it names none. */
export const scopesIn = (header: string | null): readonly string[] | null =>
  parameterIn(header, 'scope')
    ?.split(' ')
    .filter((scope) => scope !== '') ?? null;

/** The word of a `WWW-Authenticate` for what is wrong; null = it has none. */
export const challengeErrorIn = (header: string | null): string | null => parameterIn(header, 'error');

interface Challenge {
  readonly isClosed: boolean;
  readonly header: string | null;
}

const challengeIn = ({ status, headers }: Response): Challenge =>
  status === 401 ? { isClosed: true, header: headers.get('www-authenticate') } : { isClosed: false, header: null };

/** The challenge of the server to somebody without a token. */
async function challengeOf(endpoint: URL, fetch: OutboundFetch): Promise<Challenge> {
  const look = await fetch(endpoint.href, { headers: ACCEPT });
  await look.body?.cancel();
  if (look.status === 401) return challengeIn(look);
  // Some know nothing but calls: the first one of every client, which changes nothing.
  const call = await fetch(endpoint.href, {
    method: 'POST',
    headers: { ...ACCEPT, 'content-type': 'application/json' },
    body: HELLO,
    maxRedirects: 0,
  });
  await call.body?.cancel();
  return challengeIn(call);
}

const HELLO = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'kit', version: '0' } },
});

/**
 * The resource of the metadata is the server, or what it lies below: never that of somebody else.
 */
function isOf(resource: string | null, endpoint: URL): boolean {
  const url = resource === null ? null : URL.parse(resource);
  if (url === null || url.origin !== endpoint.origin) return false;
  const path = url.pathname.replace(/\/$/, '');
  return path === '' || endpoint.pathname === path || endpoint.pathname.startsWith(`${path}/`);
}

/** Null: nothing of the kind stands there. Throws KIT_OUTBOUND_REFUSED. */
async function readAt(
  url: string,
  endpoint: URL,
  fetch: OutboundFetch,
): Promise<Omit<ResourceMetadata, 'challenged' | 'isClosed'> | null> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    if (response.status !== 200) {
      await response.body?.cancel();
      return null;
    }
    const value: unknown = JSON.parse(await response.text());
    if (!isObject(value)) return null;
    const resource = textAt(value, 'resource');
    if (!isOf(resource, endpoint)) return null;
    const [issuer] = textsAt(value, 'authorization_servers');
    return issuer === undefined ? null : { issuer, resource, scopes: textsAt(value, 'scopes_supported') };
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_OUTBOUND_REFUSED') throw error;
    return null;
  }
}

/**
 * Where the metadata of a server may stand: where it says itself, below its path, at its origin.
 * Without any the origin of the server is its own authorization server.
 */
export async function findResourceMetadata(endpoint: URL, fetch: OutboundFetch): Promise<ResourceMetadata> {
  const { isClosed, header } = await challengeOf(endpoint, fetch);
  const [named, challenged] = [metadataIn(header), scopesIn(header)];
  const wellKnown = `${endpoint.origin}/.well-known/oauth-protected-resource`;
  const path = endpoint.pathname.replace(/\/$/, '');
  for (const url of [...(named === null ? [] : [named]), ...(path === '' ? [] : [`${wellKnown}${path}`]), wellKnown]) {
    const found = await readAt(url, endpoint, fetch);
    if (found !== null) return { ...found, challenged, isClosed };
  }
  return { issuer: endpoint.origin, scopes: [], resource: null, challenged, isClosed };
}
