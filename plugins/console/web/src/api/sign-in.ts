import { authorizationUrl, offerIn, type SignInOffer, signInEnd } from '../../../../../src/view/sign-in.js';
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

/** Where people sign in, with its name for them. */
export interface Issuer extends SignInOffer {
  /** Host of the issuer. */
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

export function issuerOf({ oidc = {} }: AuthInfo): Issuer | null {
  const offer = offerIn(oidc);
  if (offer === null) return null;
  const address = oidc.issuer ?? offer.authorizationEndpoint;
  return { ...offer, name: URL.parse(address)?.host ?? address };
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Leaves for the page of the issuer. */
export async function leave(issuer: Issuer): Promise<void> {
  const away: Away = { state: random(), verifier: random(), path: `${location.pathname}${location.search}` };
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(away.verifier));
  sessionStorage.setItem(KEY, JSON.stringify(away));
  const challenge = base64url(new Uint8Array(digest));
  location.assign(authorizationUrl(issuer, { redirectUri: redirectUri(), state: away.state, challenge }));
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
  const query = location.search;
  const away = takeAway();
  const path =
    away !== null && /^\/console(\/|\?|$)/.test(away.path) && !away.path.startsWith(BACK) ? away.path : '/console';
  history.replaceState(null, '', path);
  const end = away === null ? null : signInEnd(query, away.state);
  if (away === null || end === null || end.kind === 'foreign')
    throw new Error('This is not the end of a sign-in that was begun in this tab. Sign in again.');
  if (end.kind === 'refused') throw new Error(`The issuer did not sign you in: ${end.why.slice(0, 200)}`);
  const { token } = await createClient(null).post<{ readonly token: string }>('/auth/oidc/token', {
    code: end.code,
    code_verifier: away.verifier,
    redirect_uri: redirectUri(),
    ...(end.issuer === null ? {} : { iss: end.issuer }),
  });
  return token;
}
