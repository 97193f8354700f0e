import { createClient } from './client.js';

/** How the server asks who calls. */
export interface AuthInfo {
  readonly mode: string;
  readonly oidc?: {
    readonly issuer?: string;
    readonly audience?: string;
    readonly client_id?: string;
    readonly scope?: string;
    readonly token?: string;
    readonly authorization_endpoint?: string;
  };
}

/** What `/auth-info` says of signing in at an issuer, where it says all of it. */
export interface Issuer {
  readonly authorizationEndpoint: string;
  readonly clientId: string;
  readonly scope: string;
  /** Whom an access token is for; null = an id token is meant. */
  readonly audience: string | null;
  /** Host of the issuer, for people. */
  readonly name: string;
}

/** All that is kept while the browser is at the issuer; gone once it is back. */
interface Away {
  readonly state: string;
  readonly verifier: string;
  /** Path and query to return to. */
  readonly path: string;
}

const KEY = 'kit.sign-in';
const BACK = '/console/signed-in';

const redirectUri = (): string => `${location.origin}${BACK}`;

export function issuerOf({ oidc }: AuthInfo): Issuer | null {
  const { authorization_endpoint: endpoint, client_id: clientId, scope, audience, token, issuer } = oidc ?? {};
  if (endpoint === undefined || clientId === undefined || !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    return null;
  return {
    authorizationEndpoint: endpoint,
    clientId,
    scope: scope ?? 'openid',
    audience: token === 'id' ? null : (audience ?? null),
    name: URL.parse(issuer ?? endpoint)?.host ?? endpoint,
  };
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Leaves for the page of the issuer. */
export async function leave({ authorizationEndpoint, clientId, scope, audience }: Issuer): Promise<void> {
  const away: Away = { state: random(), verifier: random(), path: `${location.pathname}${location.search}` };
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(away.verifier));
  sessionStorage.setItem(KEY, JSON.stringify(away));
  const url = new URL(authorizationEndpoint);
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri(),
    scope,
    state: away.state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...(audience === null ? {} : { audience }),
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  location.assign(url.href);
}

function takeAway(): Away | null {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  try {
    return text === null ? null : (JSON.parse(text) as Away);
  } catch {
    return null;
  }
}

/**
 * The token, where this page is the one that the issuer sent the browser back to; null = it is
 * another page. The address is that of the page before again, whatever came of it. Throws an Error
 * with a sentence for people, and ApiError.
 */
export async function comeBack(): Promise<string | null> {
  if (location.pathname !== BACK) return null;
  const answer = new URLSearchParams(location.search);
  const away = takeAway();
  const path =
    away !== null && /^\/console(\/|\?|$)/.test(away.path) && !away.path.startsWith(BACK) ? away.path : '/console';
  history.replaceState(null, '', path);
  if (away === null || answer.get('state') !== away.state)
    throw new Error('This is not the end of a sign-in that was begun in this tab. Sign in again.');
  const [code, error] = [answer.get('code'), answer.get('error')];
  if (code === null)
    throw new Error(
      `The issuer did not sign you in: ${(answer.get('error_description') ?? error ?? 'it sent no code').slice(0, 200)}`,
    );
  const iss = answer.get('iss');
  const { token } = await createClient(null).post<{ readonly token: string }>('/auth/oidc/token', {
    code,
    code_verifier: away.verifier,
    redirect_uri: redirectUri(),
    ...(iss === null ? {} : { iss }),
  });
  return token;
}
