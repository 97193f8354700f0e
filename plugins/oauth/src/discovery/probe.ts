import { isKitError, type OAuthProbe, type OutboundFetch } from '@kit-run/kit/plugin';
import { boundedScopes, discover } from './discover.js';

/** See `CredentialLogins.probe`: what keeps a login from beginning is an answer here. */
export async function probeOAuth(endpoint: string, fetch: OutboundFetch): Promise<OAuthProbe> {
  try {
    const { server, scopes } = await discover(endpoint, fetch);
    return {
      isSupported: true,
      issuer: server.issuer,
      authorizationEndpoint: server.authorization_endpoint,
      scopes: scopes.length > 0 ? scopes : boundedScopes(server.scopes_supported ?? []),
      supportsRegistration: typeof server.registration_endpoint === 'string',
    };
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_LOGIN_FAILED')
      return { isSupported: false, detail: error.message.slice(0, 500) };
    throw error;
  }
}
