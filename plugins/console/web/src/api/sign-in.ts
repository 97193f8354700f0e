import { authorizationUrl, offerIn, type SignInOffer, signInEnd } from '@kit-run/kit/view';
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
interface PendingSignIn {
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

async function addressFor(
  issuer: Issuer,
  { state, verifier }: Pick<PendingSignIn, 'state' | 'verifier'>,
): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const challenge = base64url(new Uint8Array(digest));
  return authorizationUrl(issuer, { redirectUri: redirectUri(), state, challenge });
}

/** Leaves for the page of the issuer. */
export async function leave(issuer: Issuer): Promise<void> {
  const pending: PendingSignIn = {
    state: random(),
    verifier: random(),
    path: `${location.pathname}${location.search}`,
  };
  const address = await addressFor(issuer, pending);
  sessionStorage.setItem(KEY, JSON.stringify(pending));
  location.assign(address);
}

/** Begins the state of a sign-in in a window beside the page that asks for it. */
const BESIDE = 'beside.';
const CHANNEL = 'kit.sign-in';

/**
 * Signs in in a window of its own: this page stays, with what is written on it. The verifier is in
 * no storage, and all that comes back from the window is the query at which it ended. Throws an
 * Error with a sentence for people, and ApiError.
 */
export async function signInBeside(issuer: Issuer, signal: AbortSignal): Promise<string> {
  // Before anything is waited for: a browser opens windows for a click alone.
  const other = open('', '_blank', 'popup,width=520,height=720');
  if (other === null) throw new Error('The browser opened no window for signing in. Allow it for this page.');
  const [state, verifier] = [`${BESIDE}${random()}`, random()];
  const channel = new BroadcastChannel(CHANNEL);
  try {
    const ended = new Promise<string>((resolve, reject) => {
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        const end = typeof data === 'string' ? signInEnd(data, state) : null;
        if (end === null || end.kind === 'foreign') return;
        if (end.kind === 'refused') reject(refusedBy(end.why));
        else resolve(exchanged(end, verifier));
      };
      signal.addEventListener('abort', () => reject(new Error('Another sign-in was begun.')));
    });
    other.location.replace(await addressFor(issuer, { state, verifier }));
    return await ended;
  } finally {
    channel.close();
  }
}

/**
 * Whether this page is the end of a sign-in for the page beside it; then that page is told of it.
 */
export function handBack(): boolean {
  const state = new URLSearchParams(location.search).get('state') ?? '';
  if (location.pathname !== BACK || !state.startsWith(BESIDE)) return false;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(location.search);
  channel.close();
  history.replaceState(null, '', '/console');
  close();
  return true;
}

const refusedBy = (why: string): Error => new Error(`The issuer did not sign you in: ${why.slice(0, 200)}`);

async function exchanged(
  { code, issuer }: { readonly code: string; readonly issuer: string | null },
  verifier: string,
): Promise<string> {
  const { token } = await createClient(null).post<{ readonly token: string }>('/auth/oidc/token', {
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri(),
    ...(issuer === null ? {} : { iss: issuer }),
  });
  return token;
}

function takePending(): PendingSignIn | null {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  try {
    return text === null ? null : (JSON.parse(text) as PendingSignIn);
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
  const pending = takePending();
  const path =
    pending !== null && /^\/console(\/|\?|$)/.test(pending.path) && !pending.path.startsWith(BACK)
      ? pending.path
      : '/console';
  history.replaceState(null, '', path);
  const end = pending === null ? null : signInEnd(query, pending.state);
  if (pending === null || end === null || end.kind === 'foreign')
    throw new Error('This is not the end of a sign-in that was begun in this tab. Sign in again.');
  if (end.kind === 'refused') throw refusedBy(end.why);
  return exchanged(end, pending.verifier);
}
