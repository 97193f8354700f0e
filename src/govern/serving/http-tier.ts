import type { Caller, HttpTier } from '../../domain/ports/http.js';

/** May a caller use a route? `scope` is what the caller lacks: the 403 names it. */
export type TierAnswer = { readonly allowed: true } | { readonly allowed: false; readonly scope: string };

/** Scopes that a tier carries; cumulative (http-and-cli.md 2.3). */
export const TIER_SCOPES: Readonly<Record<Exclude<HttpTier, 'public'>, readonly string[]>> = {
  read: ['serve:read'],
  run: ['serve:read', 'serve:run'],
  admin: ['serve:read', 'serve:run', 'serve:admin'],
};

/** True for a word that names a tier of keys and tokens. */
export const isKeyTier = (word: string): word is keyof typeof TIER_SCOPES => Object.hasOwn(TIER_SCOPES, word);

/**
 * The caller holds `serve:<tier>` letter by letter, or `*`, which only the provider `none` confers (the guard around every provider
 * takes it from others). `serve:admin` alone does not confer `serve:read`: tiers are expanded where a key is read, never here.
 */
export function admitToTier(caller: Pick<Caller, 'scopes'>, tier: HttpTier): TierAnswer {
  if (tier === 'public') return { allowed: true };
  const scope = `serve:${tier}`;
  return caller.scopes.includes('*') || caller.scopes.includes(scope) ? { allowed: true } : { allowed: false, scope };
}
