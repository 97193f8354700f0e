import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';
import * as oauth from 'oauth4webapi';
import type { KnownClient, TokenServer } from '../tokens/token-row.js';

/** How the client proves itself. */
export function clientAuth({ clientSecret, method }: KnownClient): ClientAuth {
  if (clientSecret === null || method === 'none') return oauth.None();
  return method === 'client_secret_basic' ? basic(clientSecret) : oauth.ClientSecretPost(clientSecret);
}

/** As forms encode it: `-`, `.`, `_` and `*` stand for themselves. */
const formEncoded = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2);

/**
 * RFC 6749, 2.3.1. The library encodes `-` and `_` as well, and servers that compare without
 * decoding then know neither client nor secret.
 */
const basic =
  (clientSecret: string): ClientAuth =>
  (_server, { client_id: clientId }, _body, headers) => {
    const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
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
