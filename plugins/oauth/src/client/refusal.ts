import { isKitError, KitError } from '@kit-run/kit/plugin';
import * as oauth from 'oauth4webapi';
import { quoted } from '../discovery/values.js';

/**
 * `refused`: the provider said no in the words of OAuth, and will again. `failed`: it could not be
 * asked, or answered something else.
 */
export type ProviderProblem = { readonly kind: 'refused' | 'failed'; readonly why: string };

/** Of a moment: the same request may do later. */
const PASSING = new Set(['temporarily_unavailable', 'server_error', 'slow_down', 'authorization_pending']);

/** What went wrong with a request, without a word of what was sent. */
export function problemOf(error: unknown): ProviderProblem {
  if (error instanceof oauth.ResponseBodyError) {
    const text = error.error_description === undefined ? '' : `: ${quoted(error.error_description)}`;
    const kind = error.status < 500 && error.status !== 429 && !PASSING.has(error.error) ? 'refused' : 'failed';
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
export function loginFailed(doing: string, error: unknown): KitError {
  if (isKitError(error) && error.code !== 'KIT_OUTBOUND_FAILED') return error;
  return new KitError('KIT_LOGIN_FAILED', `${doing}: ${problemOf(error).why}`);
}
