import { isKitError } from '../../domain/errors.js';
import type { OutboundFetch } from '../../domain/ports/outbound.js';
import type { OAuthProbe } from './connections-app.js';
import { findResourceMetadata } from './resource-metadata.js';
import { findServerMetadata, isPrivateWay } from './server-metadata.js';

const MAX_SCOPES = 100;
const MAX_CHARS = 200;
const not = (detail: string): OAuthProbe => ({ isSupported: false, detail: detail.slice(0, 500) });

const bounded = (scopes: readonly unknown[]): readonly string[] =>
  scopes.filter((scope) => typeof scope === 'string' && scope.length <= MAX_CHARS).slice(0, MAX_SCOPES) as string[];

/** Null: the address is one that a browser may be sent to with a login. */
function flawOf(name: string, text: string | undefined): string | null {
  const url = text === undefined ? null : URL.parse(text);
  if (url === null) return `its metadata has no ${name}`;
  return isPrivateWay(url) ? null : `its ${name} is neither https nor at this machine`;
}

async function discover(endpoint: URL, fetch: OutboundFetch): Promise<OAuthProbe> {
  const resource = await findResourceMetadata(endpoint, fetch);
  const issuer = URL.parse(resource.issuer);
  if (issuer === null || !isPrivateWay(issuer))
    return not('its authorization server is neither https nor at this machine');
  const server = await findServerMetadata(issuer, fetch);
  if (server === null) return not(`${issuer.host} has no metadata of an authorization server of that name`);
  const flaw =
    flawOf('authorization_endpoint', server.authorization_endpoint) ?? flawOf('token_endpoint', server.token_endpoint);
  if (flaw !== null) return not(flaw);
  // Without it a code that somebody else sees is worth a token (RFC 7636).
  if (server.code_challenge_methods_supported?.includes('S256') !== true) return not('its metadata does not name S256');
  return {
    isSupported: true,
    issuer: server.issuer,
    authorizationEndpoint: server.authorization_endpoint ?? '',
    scopes: bounded(resource.scopes.length > 0 ? resource.scopes : (server.scopes_supported ?? [])),
    supportsRegistration: typeof server.registration_endpoint === 'string',
  };
}

/** See `ConnectionsApp.probe`. */
export async function probeOAuth(endpoint: string, fetch: OutboundFetch): Promise<OAuthProbe> {
  const url = URL.parse(endpoint);
  if (url === null) return not('the endpoint is no address');
  try {
    return await discover(url, fetch);
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_OUTBOUND_FAILED') return not(error.message);
    throw error;
  }
}
