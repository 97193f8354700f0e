import { isKitError, isObject, type OutboundFetch } from '@kit-run/kit/plugin';
import type { AuthorizationServer } from 'oauth4webapi';
import * as oauth from 'oauth4webapi';
import { textAt } from './values.js';

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

/** Whose metadata is looked for. */
interface Wanted {
  readonly issuer: URL;
  /** Nobody named the issuer: the server has no metadata of its own (MCP of 2025-03-26). */
  readonly isGuess: boolean;
}

/** At the origin of the server itself its own word for its issuer counts, if it stays there. */
async function issuerIn(response: Response, guess: URL): Promise<URL> {
  const value: unknown = await response.json().catch(() => null);
  const named = isObject(value) ? URL.parse(textAt(value, 'issuer') ?? '') : null;
  return named?.origin === guess.origin ? named : guess;
}

/** A look at one place; null = there is no metadata of this issuer. Throws KIT_OUTBOUND_REFUSED. */
async function lookAt({ issuer, isGuess }: Wanted, ask: () => Promise<Response>): Promise<AuthorizationServer | null> {
  try {
    const response = await ask();
    const expected = isGuess ? await issuerIn(response.clone(), issuer) : issuer;
    return await oauth.processDiscoveryResponse(expected, response);
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_OUTBOUND_REFUSED') throw error;
    return null;
  }
}

/**
 * The metadata of an authorization server, wherever it may stand (RFC 8414, OpenID Connect
 * Discovery); null = nowhere. It names the issuer that was asked for, or it does not count.
 */
export async function findServerMetadata(wanted: Wanted, fetch: OutboundFetch): Promise<AuthorizationServer | null> {
  const { issuer } = wanted;
  const options = { ...callingBy(fetch), [oauth.allowInsecureRequests]: isPrivateWay(issuer) };
  const path = issuer.pathname.replace(/\/$/, '');
  const inserted = `${issuer.origin}/.well-known/openid-configuration${path}`;
  return (
    (await lookAt(wanted, () => oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }))) ??
    (path === '' ? null : await lookAt(wanted, () => fetch(inserted, { headers: { accept: 'application/json' } }))) ??
    (await lookAt(wanted, () => oauth.discoveryRequest(issuer, { ...options, algorithm: 'oidc' })))
  );
}

/**
 * Where a server of 2025-03-26 has its endpoints that says nothing of them: at its origin, by these
 * names. Whether it does, its answer to a registration tells.
 */
export const guessedServer = ({ origin }: URL): AuthorizationServer => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  code_challenge_methods_supported: ['S256'],
});
