import type { StoredLogin, VaultRow } from '@kit-run/kit/plugin';
import { decodeToken, type TokenRow } from './token-row.js';

/** A token that ends within this time counts as one that has ended. */
export const EXPIRED_MS = 120_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

export const leftMs = (instant: string | null, nowMs: number): number =>
  instant === null ? Number.POSITIVE_INFINITY : Date.parse(instant) - nowMs;

/**
 * When a person has to log in again: at the end of the refresh token where the provider tells it,
 * else at the end of an access token that nothing refreshes. Null: nobody knows.
 */
const endOf = ({ refreshToken, refreshExpiresAt, expiresAt }: TokenRow): string | null =>
  refreshToken === null ? expiresAt : refreshExpiresAt;

function soonness(endsAt: string | null, nowMs: number): StoredLogin['endsSoon'] {
  const left = leftMs(endsAt, nowMs);
  return left <= DAY_MS ? 'day' : left <= WEEK_MS ? 'week' : null;
}

/** What may be shown of a row. */
export function storedLogin(entry: VaultRow, nowMs: number): StoredLogin {
  const { name: credential, owner, value } = entry;
  if (value === null)
    return {
      credential,
      owner,
      provider: null,
      endpoint: null,
      scopes: [],
      expiresAt: null,
      secondsRemaining: null,
      isExpired: true,
      hasRefreshToken: false,
      refreshedAt: null,
      endsAt: null,
      endsSoon: null,
      flaw: entry.flaw,
    };
  const row = decodeToken(value);
  const endsAt = endOf(row);
  return {
    credential,
    owner,
    provider: row.server.issuer,
    endpoint: row.endpoint,
    scopes: row.scopes,
    expiresAt: row.expiresAt,
    secondsRemaining: row.expiresAt === null ? null : Math.max(0, Math.floor(leftMs(row.expiresAt, nowMs) / 1000)),
    isExpired: leftMs(row.expiresAt, nowMs) <= EXPIRED_MS,
    hasRefreshToken: row.refreshToken !== null,
    refreshedAt: row.refreshedAt,
    endsAt,
    endsSoon: soonness(endsAt, nowMs),
    flaw: row.refused,
  };
}
