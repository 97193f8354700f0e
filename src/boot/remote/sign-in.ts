import { createHash } from 'node:crypto';
import type { SignInOffer } from '../../app/logins/logins-app.js';
import { KitError } from '../../domain/errors.js';
import { maybeTextAt } from '../../lib/read-json.js';
import { oneLine } from '../../view/lines/words.js';

/** S256 of RFC 7636. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/**
 * What `/auth-info` says of signing in through a browser. Null: nothing, or an address that no
 * browser should be sent to.
 */
export function offerIn(oidc: Readonly<Record<string, unknown>>): SignInOffer | null {
  const [endpoint, clientId] = [maybeTextAt(oidc, 'authorization_endpoint'), maybeTextAt(oidc, 'client_id')];
  if (endpoint === null || clientId === null || !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return null;
  return {
    authorizationEndpoint: endpoint,
    clientId,
    scope: maybeTextAt(oidc, 'scope') ?? 'openid',
    audience: maybeTextAt(oidc, 'token') === 'id' ? null : maybeTextAt(oidc, 'audience'),
  };
}

/** The page of the issuer, with what it has to be asked. */
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

/** The code at the end of a sign-in. Throws KIT_LOGIN_STATE, KIT_LOGIN_FAILED. */
export function codeIn(query: string, state: string): { readonly code: string; readonly issuer: string | null } {
  const answer = new URLSearchParams(query);
  if (answer.get('state') !== state)
    throw new KitError('KIT_LOGIN_STATE', 'this is not the address at which this sign-in ended');
  const [code, error] = [answer.get('code'), answer.get('error')];
  if (error !== null || code === null) {
    const why = answer.get('error_description') ?? error ?? 'it sent no code';
    throw new KitError('KIT_LOGIN_FAILED', `the issuer did not sign you in: ${oneLine(why, 200)}`);
  }
  return { code, issuer: answer.get('iss') };
}
