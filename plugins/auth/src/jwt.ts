import { type AuthVerdict, defineAuthProvider, isReservedScope } from '@kit-run/kit/plugin';
import type { JWTPayload } from 'jose';
import { bearerOf } from './bearer.js';
import { decodeConfig, type JwtConfig, publicInfo, warningsOf } from './jwt/config.js';
import { createIssuerDocument } from './jwt/issuer-document.js';
import { createIssuerKeys } from './jwt/issuer-keys.js';
import { createSignIn } from './jwt/sign-in.js';
import { createVerifier } from './jwt/verify.js';

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
function callerOf(claims: JWTPayload, config: JwtConfig, onDropped: (scopes: readonly string[]) => void): AuthVerdict {
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

/**
 * Auth provider `jwt`: tokens that one issuer signed for one audience. Nothing is fetched before
 * the first of them comes.
 */
export const contribution = defineAuthProvider({
  create: (settings, context) => {
    const config = decodeConfig(settings);
    const document = createIssuerDocument(config.issuer, context);
    const verify = createVerifier(config, createIssuerKeys({ config, document, context }), context.clock);
    const warned = new Set<string>();
    const onDropped = (scopes: readonly string[]): void => {
      const fresh = scopes.filter((scope) => !warned.has(scope));
      for (const scope of fresh) warned.add(scope);
      if (fresh.length > 0)
        context.log.warn('tokens carry scopes that belong to people; they are dropped', { scopes: fresh });
    };
    const judge = async (token: string): Promise<AuthVerdict> => {
      const verified = await verify(token);
      return verified.kind === 'refused' ? verified : callerOf(verified.claims, config, onDropped);
    };
    const refusalOf = async (token: string): Promise<string | null> => {
      const verdict = await judge(token);
      return verdict.kind === 'refused' ? verdict.detail : null;
    };
    return {
      authenticate: async ({ authorization }) => {
        const bearer = bearerOf(authorization);
        return bearer.kind === 'refused' ? bearer : judge(bearer.token);
      },
      signIn: createSignIn(config, { ...context, document, refusalOf }),
      info: () => ({ mode: 'jwt', oidc: publicInfo(config) }),
      warnings: warningsOf(config),
      identities: null,
    };
  },
});
