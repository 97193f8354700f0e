import type { AuthorizationServer } from 'oauth4webapi';

const OFFLINE = 'offline_access';

/**
 * What is asked for: what the caller says, else what the server says. A token that can be refreshed
 * is asked for where the provider has a word for it.
 */
export function loginScopes(
  given: readonly string[] | null,
  of: { readonly advertised: readonly string[]; readonly server: Pick<AuthorizationServer, 'scopes_supported'> },
): readonly string[] {
  const scopes = given ?? of.advertised;
  const isOffered = of.server.scopes_supported?.includes(OFFLINE) === true;
  return given === null && isOffered && !scopes.includes(OFFLINE) ? [...scopes, OFFLINE] : scopes;
}

/** OpenID Connect gives `offline_access` to nobody who was not asked. */
export const promptFor = (scopes: readonly string[]): { readonly prompt?: string } =>
  scopes.includes(OFFLINE) ? { prompt: 'consent' } : {};
