import { isKitError, type OutboundFetch } from '@kit-run/kit/plugin';
import type { AuthorizationServer } from 'oauth4webapi';
import * as oauth from 'oauth4webapi';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Over https, or at this machine: nowhere else is a login worth anything. */
export const isPrivateWay = ({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));

interface Call {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * The calls of the library, made by the one fetch that judges addresses. What is sent with a secret
 * follows no redirect.
 */
const through =
  (fetch: OutboundFetch, signal?: AbortSignal) =>
  (url: string, { method, headers, body }: Call): Promise<Response> =>
    fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: String(body), maxRedirects: 0 }),
      ...(signal === undefined ? {} : { signal }),
    });

/**
 * How the library calls. It allows http because `isPrivateWay` has judged every address that it is
 * given.
 */
export const callingBy = (fetch: OutboundFetch, signal?: AbortSignal) => ({
  [oauth.customFetch]: through(fetch, signal),
  [oauth.allowInsecureRequests]: true,
});

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
  const options = { ...callingBy(fetch), [oauth.allowInsecureRequests]: isPrivateWay(issuer) };
  const path = issuer.pathname.replace(/\/$/, '');
  const inserted = `${issuer.origin}/.well-known/openid-configuration${path}`;
  return (
    (await lookAt(issuer, () => oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }))) ??
    (path === '' ? null : await lookAt(issuer, () => fetch(inserted, { headers: { accept: 'application/json' } }))) ??
    (await lookAt(issuer, () => oauth.discoveryRequest(issuer, { ...options, algorithm: 'oidc' })))
  );
}
