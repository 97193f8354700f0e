import type { TokenEndpointResponse } from 'oauth4webapi';
import { boundedScopes } from '../discovery/discover.js';
import type { TokenRow } from './token-row.js';

/** What an answer of a token endpoint says of a token. */
export type AnsweredToken = Pick<
  TokenRow,
  'accessToken' | 'refreshToken' | 'expiresAt' | 'refreshExpiresAt' | 'scopes'
>;

/** Ten years: what is longer is nobody's clock. */
const MAX_SECONDS = 315_360_000;

function inSeconds(value: unknown, nowMs: number): string | null {
  const seconds = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) return null;
  return new Date(nowMs + Math.min(seconds, MAX_SECONDS) * 1000).toISOString();
}

/** `known`: what holds where the answer is silent. */
export function answeredToken(
  answer: TokenEndpointResponse,
  known: { readonly nowMs: number; readonly scopes: readonly string[]; readonly before: TokenRow | null },
): AnsweredToken {
  const { nowMs, before } = known;
  const refreshEnd = inSeconds(answer.refresh_token_expires_in ?? answer.refresh_expires_in, nowMs);
  const isKept = answer.refresh_token === undefined;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? before?.refreshToken ?? null,
    expiresAt: inSeconds(answer.expires_in, nowMs),
    refreshExpiresAt: refreshEnd ?? (isKept ? (before?.refreshExpiresAt ?? null) : null),
    scopes: answer.scope === undefined ? known.scopes : boundedScopes(answer.scope.split(' ')),
  };
}
