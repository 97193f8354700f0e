import { type BegunLogin, type BrowserLoginAsk, KitError } from '@kit-run/kit/plugin';
import type { AuthorizationServer } from 'oauth4webapi';
import * as oauth from 'oauth4webapi';
import { chooseClient } from '../client/choose-client.js';
import { discover } from '../discovery/discover.js';
import { LOGIN, LOGIN_MS, type Parts } from '../parts.js';
import { digest, encodeLogin, type LoginRow, loginName } from './login-row.js';
import { loginScopes, promptFor } from './login-scopes.js';

/** More no browser takes as a word; it is made of what the provider says. */
const MAX_URL_CHARS = 32_000;

/**
 * Finds the authorization server, becomes a client of it, and keeps what the callback will need.
 * See `CredentialLogins.begin`.
 */
export async function beginLogin(parts: Parts, ask: BrowserLoginAsk): Promise<BegunLogin> {
  const { credential, owner, endpoint, redirectUri, clientId, clientSecret, clientMetadataUrl, binding } = ask;
  const {
    server,
    resource,
    scopes: advertised,
  } = await discover(endpoint, parts.outbound, { guesses: clientId === null });
  const scopes = loginScopes(ask.scopes, { advertised, server });
  const client = await chooseClient(parts, server, { clientId, clientSecret, clientMetadataUrl, redirectUri, scopes });
  const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
  await parts.vault.drop(LOGIN, LOGIN_MS);
  const row = {
    ...{ credential, owner, endpoint, resource, scopes, redirectUri, verifier, client },
    binding: digest(binding),
    server: keptServer(server),
  };
  const url = new URL(server.authorization_endpoint);
  const query = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    ...promptFor(scopes),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (url.href.length > MAX_URL_CHARS)
    throw new KitError('KIT_LOGIN_FAILED', `the address of the login has more than ${MAX_URL_CHARS} characters`);
  await parts.vault.put({ kind: LOGIN, name: loginName(state), owner: '' }, encodeLogin(row), null);
  return { authorizationUrl: url.href, state };
}

/** What the callback needs of the server; a later change of its metadata leads nowhere else. */
const keptServer = (server: AuthorizationServer): LoginRow['server'] => ({
  issuer: server.issuer,
  ...(server.token_endpoint === undefined ? {} : { token_endpoint: server.token_endpoint }),
  ...(server.revocation_endpoint === undefined ? {} : { revocation_endpoint: server.revocation_endpoint }),
  ...(server.authorization_response_iss_parameter_supported === true
    ? { authorization_response_iss_parameter_supported: true }
    : {}),
});
