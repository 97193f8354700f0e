import { isObject } from '../../compile/document.js';
import { textAt, textsAt } from '../../compile/read.js';
import { isKitError } from '../../domain/errors.js';
import type { OutboundFetch } from '../../domain/ports/outbound.js';

/** What a protected resource says of itself (RFC 9728). */
export interface ResourceMetadata {
  readonly issuer: string;
  readonly scopes: readonly string[];
}

const MAX_HEADER_CHARS = 8_000;
const ACCEPT = { accept: 'application/json, text/event-stream' };

/** Address of the metadata in a `WWW-Authenticate`; null = it names none. */
export function metadataIn(header: string | null): string | null {
  const found = /\bresource_metadata=(?:"([^"\\]{1,2000})"|([^\s",]{1,2000}))/i.exec(
    (header ?? '').slice(0, MAX_HEADER_CHARS),
  );
  return found?.[1] ?? found?.[2] ?? null;
}

/** The server as it answers somebody without a token. */
async function askedWithoutToken(endpoint: URL, fetch: OutboundFetch): Promise<string | null> {
  const response = await fetch(endpoint.href, { headers: ACCEPT });
  await response.body?.cancel();
  return response.status === 401 ? metadataIn(response.headers.get('www-authenticate')) : null;
}

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
async function readAt(url: string, endpoint: URL, fetch: OutboundFetch): Promise<ResourceMetadata | null> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    if (response.status !== 200) {
      await response.body?.cancel();
      return null;
    }
    const value: unknown = JSON.parse(await response.text());
    if (!isObject(value) || !isOf(textAt(value, 'resource'), endpoint)) return null;
    const [issuer] = textsAt(value, 'authorization_servers');
    return issuer === undefined ? null : { issuer, scopes: textsAt(value, 'scopes_supported') };
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
  const told = await askedWithoutToken(endpoint, fetch);
  const wellKnown = `${endpoint.origin}/.well-known/oauth-protected-resource`;
  const path = endpoint.pathname.replace(/\/$/, '');
  for (const url of [...(told === null ? [] : [told]), ...(path === '' ? [] : [`${wellKnown}${path}`]), wellKnown]) {
    const found = await readAt(url, endpoint, fetch);
    if (found !== null) return found;
  }
  return { issuer: endpoint.origin, scopes: [] };
}
