import { basicAuthorization } from '@kit-run/kit/plugin';
import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';
import * as oauth from 'oauth4webapi';
import type { KnownClient, TokenServer } from '../tokens/token-row.js';

/** How the client proves itself. */
export function clientAuth({ clientSecret, method }: KnownClient): ClientAuth {
  if (clientSecret === null || method === 'none') return oauth.None();
  return method === 'client_secret_basic' ? basic(clientSecret) : oauth.ClientSecretPost(clientSecret);
}

const basic =
  (clientSecret: string): ClientAuth =>
  (_server, { client_id: clientId }, _body, headers) => {
    headers.set('authorization', basicAuthorization(clientId, clientSecret));
  };

export const clientOf = ({ clientId, method }: KnownClient): Client => ({
  client_id: clientId,
  token_endpoint_auth_method: method,
});

/** The server as the library has it, of what was kept at the login. */
export const serverOf = ({ issuer, tokenEndpoint, revocationEndpoint }: TokenServer): AuthorizationServer => ({
  issuer,
  token_endpoint: tokenEndpoint,
  ...(revocationEndpoint === null ? {} : { revocation_endpoint: revocationEndpoint }),
});
