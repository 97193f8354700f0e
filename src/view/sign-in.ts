import { type Fields, maybeTextAt } from '../lib/read-json.js';

/** What a browser is sent to an issuer with, as `/auth-info` of a server says it. */
export interface SignInOffer {
  readonly authorizationEndpoint: string;
  readonly clientId: string;
  readonly scope: string;
  /** Whom an access token is for; null = an id token is meant. */
  readonly audience: string | null;
}

/**
 * `oidc` of `/auth-info`. Null: nobody signs in through a browser there, or at an address that no
 * browser should be sent to.
 */
export function offerIn(oidc: Fields): SignInOffer | null {
  const [endpoint, clientId] = [maybeTextAt(oidc, 'authorization_endpoint'), maybeTextAt(oidc, 'client_id')];
  if (endpoint === null || clientId === null || !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return null;
  return {
    authorizationEndpoint: endpoint,
    clientId,
    scope: maybeTextAt(oidc, 'scope') ?? 'openid',
    audience: maybeTextAt(oidc, 'token') === 'id' ? null : maybeTextAt(oidc, 'audience'),
  };
}

/** The page of the issuer, with what it has to be asked (RFC 6749, RFC 7636). */
export function authorizationUrl(
  { authorizationEndpoint, clientId, scope, audience }: SignInOffer,
  { redirectUri, state, challenge }: Readonly<Record<'redirectUri' | 'state' | 'challenge', string>>,
): string {
  const url = new URL(authorizationEndpoint);
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    // Some issuers give a token for an API to whoever names it so, and others read nothing of it.
    ...(audience === null ? {} : { audience }),
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return url.href;
}

/** How a sign-in ended at the issuer. */
export type SignInEnd =
  | { readonly kind: 'code'; readonly code: string; readonly issuer: string | null }
  /** `why`: the issuer's words, as they came. */
  | { readonly kind: 'refused'; readonly why: string }
  /** The answer to another sign-in. */
  | { readonly kind: 'foreign' };

/** Reads the query at which a browser ended. */
export function signInEnd(query: string, state: string): SignInEnd {
  const answer = new URLSearchParams(query);
  if (answer.get('state') !== state) return { kind: 'foreign' };
  const [code, error] = [answer.get('code'), answer.get('error')];
  if (error !== null || code === null)
    return { kind: 'refused', why: answer.get('error_description') ?? error ?? 'it sent no code' };
  return { kind: 'code', code, issuer: answer.get('iss') };
}
