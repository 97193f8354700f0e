import type { Caller, HttpTier } from './ports/http.js';

/** Scopes that a tier carries; cumulative (docs/design/decisions.md#tiers). */
export const TIER_SCOPES = {
  public: [],
  read: ['serve:read'],
  run: ['serve:read', 'serve:run'],
  admin: ['serve:read', 'serve:run', 'serve:admin'],
} as const satisfies Record<HttpTier, readonly string[]>;

/**
 * The scope that this caller lacks for the tier; null = nothing is missing. `*` stands for the
 * local operator under `none`.
 */
export function missingScope({ scopes }: Pick<Caller, 'scopes'>, tier: HttpTier): string | null {
  if (tier === 'public' || scopes.includes('*')) return null;
  const needed = `serve:${tier}`;
  return scopes.includes(needed) ? null : needed;
}
