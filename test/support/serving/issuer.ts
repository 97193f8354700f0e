import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Two issuers of one server, `<base>/a` and `<base>/b`, which sign tokens that hold for an hour by
 * the real clock.
 */
export interface TestIssuers {
  readonly base: string;
  /** A token of the issuer `a` unless the claims say otherwise. */
  token(claims?: Readonly<Record<string, unknown>>): string;
  close(): Promise<void>;
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims: object, key: KeyObject): string {
  const body = `${part({ alg: 'ES256', kid: 'key' })}.${part(claims)}`;
  return `${body}.${sign('sha256', Buffer.from(body), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/**
 * `<issuer>/.well-known/jwks.json` has the key of both; `<issuer>/others` has another one under the
 * same name. Whoever sends a
 * code to `<issuer>/token` is refused, and told how it proved itself.
 */
export async function startIssuers(): Promise<TestIssuers> {
  const [own, other] = [
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ];
  const keysOf = (key: KeyObject): string =>
    JSON.stringify({ keys: [{ ...key.export({ format: 'jwk' }), kid: 'key' }] });
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/.well-known/jwks.json')) response.end(keysOf(own.publicKey));
    else if (request.url?.endsWith('/others')) response.end(keysOf(other.publicKey));
    else if (request.url?.endsWith('/.well-known/openid-configuration')) {
      const issuer = `http://${request.headers.host}/${request.url.split('/', 2)[1]}`;
      response.end(
        JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }),
      );
    } else if (request.url?.endsWith('/token')) {
      const { authorization = 'nothing' } = request.headers;
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: 'invalid_grant', error_description: authorization }));
    } else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // listening on a port gives an address with one
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    base,
    token: (claims = {}) =>
      signed(
        {
          iss: `${base}/a`,
          aud: 'kit',
          sub: 'alice',
          exp: Math.floor(Date.now() / 1000) + 3_600,
          scope: 'serve:read',
          ...claims,
        },
        own.privateKey,
      ),
    close: async () => {
      const closed = once(server, 'close');
      server.closeAllConnections();
      server.close();
      await closed;
    },
  };
}
