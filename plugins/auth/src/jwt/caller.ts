import { type AuthVerdict, isReservedScope } from '@kit-run/kit/plugin';
import type { JWTPayload } from 'jose';
import type { JwtConfig } from './config.js';

const refused = (detail: string): AuthVerdict => ({ kind: 'refused', detail, error: 'invalid_token' });

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/**
 * A list of texts, or one text with blanks between; words of tiers are not expanded
 * (docs/auth.md#jwt).
 */
function scopesOf(claim: unknown): readonly string[] {
  if (Array.isArray(claim)) return claim.filter((scope): scope is string => typeof scope === 'string' && scope !== '');
  return typeof claim === 'string' ? claim.split(/\s+/).filter((scope) => scope !== '') : [];
}

/** First of the claims that people know each other by. */
const nameOf = (claims: JWTPayload): string | null =>
  textOf(claims.name) ?? textOf(claims.preferred_username) ?? textOf(claims.email) ?? textOf(claims.sub);

/**
 * Who the claims of a token that holds name. `onDropped` is told scopes that only people may have,
 * and `*` (docs/design/decisions.md#tiers).
 */
export function callerOf(
  claims: JWTPayload,
  config: JwtConfig,
  onDropped: (scopes: readonly string[]) => void,
): AuthVerdict {
  const { clientIdClaim, requiredClaims, scopesClaim, baseScopes } = config;
  const missing = Object.entries(requiredClaims).find(([claim, value]) => claims[claim] !== value);
  if (missing !== undefined) return refused(`the claim ${missing[0]} of the token is not what this server asks for`);
  const clientId = textOf(claims[clientIdClaim]);
  if (clientId === null) return refused(`the token has no claim ${clientIdClaim}, by which callers are known here`);
  // Whoever may write any address into their profile could be anybody.
  if (clientIdClaim === 'email' && !isVerified(claims.email_verified))
    return refused('the token carries an address that nobody verified');
  const carried = [...new Set([...baseScopes, ...scopesOf(claims[scopesClaim])])];
  const dropped = carried.filter(isReservedScope);
  if (dropped.length > 0) onDropped(dropped);
  return {
    kind: 'caller',
    caller: {
      clientId,
      clientName: nameOf(claims) ?? clientId,
      provider: 'jwt',
      scopes: carried.filter((scope) => !isReservedScope(scope)),
      assurance: 'authenticated',
    },
  };
}

/** Some issuers write texts, and some leave the claim out; anything else verifies nothing. */
const isVerified = (claim: unknown): boolean => claim === undefined || claim === true || claim === 'true';
