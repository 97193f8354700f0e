import { basicAuthorization, isKitError, KitError } from '@kit-run/kit/plugin';
import * as oauth from 'oauth4webapi';
import { quoted } from '../discovery/values.js';
import type { KnownClient } from '../tokens/token-row.js';

/**
 * `refused`: the provider said no in the words of OAuth, and will again. `failed`: it could not be
 * asked, or answered something else.
 */
export type ProviderProblem = { readonly kind: 'refused' | 'failed'; readonly why: string };

/** Of a moment: the same request may do later. */
const PASSING = new Set(['temporarily_unavailable', 'server_error', 'slow_down', 'authorization_pending']);

/** What a request holds that nobody is shown: codes and tokens, beside the secret of the client. */
export interface Sent {
  readonly client: KnownClient;
  readonly values: readonly (string | null)[];
}

function isRepeatedIn(text: string, { client: { clientId, clientSecret }, values }: Sent): boolean {
  const ofClient = clientSecret === null ? [] : [clientSecret, basicAuthorization(clientId, clientSecret).slice(6)];
  const secrets = [...values, ...ofClient].flatMap((value) => (value === null || value === '' ? [] : spellings(value)));
  return secrets.some((secret) => text.includes(secret));
}

/** As it is, in a URL, and in the body of a form. */
const spellings = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams([['', secret]]).toString().slice(1),
];

/**
 * What went wrong with a request, without a word of what was sent: some providers tell what they
 * were asked, and messages are read by more people than secrets.
 */
export function problemOf(error: unknown, sent: Sent | null): ProviderProblem {
  if (error instanceof oauth.ResponseBodyError) {
    const text = error.error_description === undefined ? '' : `: ${quoted(error.error_description)}`;
    const kind = error.status < 500 && error.status !== 429 && !PASSING.has(error.error) ? 'refused' : 'failed';
    if (sent !== null && isRepeatedIn(`${error.error} ${error.error_description ?? ''}`, sent))
      return { kind, why: `the provider answers ${error.status} in words that repeat what was sent` };
    return { kind, why: `the provider answers ${quoted(error.error, 60)}${text}` };
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return { kind: 'refused', why: `the provider answers ${error.status}, and does not know this client` };
  if (isKitError(error)) return { kind: 'failed', why: error.message };
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
    const response = error.cause instanceof Response ? ` (${error.cause.status})` : '';
    return { kind: 'failed', why: `the provider gives no answer of OAuth${response}: ${quoted(error.message)}` };
  }
  return { kind: 'failed', why: 'the provider gives no answer of OAuth' };
}

/** The same as a refusal of a login. */
export function loginFailed(doing: string, error: unknown, sent: Sent | null = null): KitError {
  if (isKitError(error) && error.code !== 'KIT_OUTBOUND_FAILED') return error;
  return new KitError('KIT_LOGIN_FAILED', `${doing}: ${problemOf(error, sent).why}`);
}
