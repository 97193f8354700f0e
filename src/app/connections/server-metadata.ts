import type { AuthorizationServer } from 'oauth4webapi';
import * as oauth from 'oauth4webapi';
import { isKitError } from '../../domain/errors.js';
import type { OutboundFetch } from '../../domain/ports/outbound.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Over https, or at this machine: nowhere else is a login worth anything. */
export const isPrivateWay = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));

/** The calls of the library, made by the one fetch that judges addresses. */
const through =
  (fetch: OutboundFetch) =>
  (url: string, { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown }) =>
    fetch(url, { method, headers, ...(typeof body === 'string' ? { body } : {}) });

/** A look at one place; null = there is no metadata of this issuer. Throws KIT_OUTBOUND_REFUSED. */
async function lookAt(issuer: URL, ask: () => Promise<Response>): Promise<AuthorizationServer | null> {
  try {
    return await oauth.processDiscoveryResponse(issuer, await ask());
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_OUTBOUND_REFUSED') throw error;
    return null;
  }
}

/**
 * The metadata of an authorization server, wherever it may stand (RFC 8414, OpenID Connect
 * Discovery); null = nowhere. It names the issuer that was asked for, or it does not count.
 */
export async function findServerMetadata(issuer: URL, fetch: OutboundFetch): Promise<AuthorizationServer | null> {
  const options = {
    [oauth.customFetch]: through(fetch),
    [oauth.allowInsecureRequests]: isPrivateWay(issuer),
  };
  const path = issuer.pathname.replace(/\/$/, '');
  const inserted = `${issuer.origin}/.well-known/openid-configuration${path}`;
  return (
    (await lookAt(issuer, () => oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }))) ??
    (path === '' ? null : await lookAt(issuer, () => fetch(inserted, { headers: { accept: 'application/json' } }))) ??
    (await lookAt(issuer, () => oauth.discoveryRequest(issuer, { ...options, algorithm: 'oidc' })))
  );
}
