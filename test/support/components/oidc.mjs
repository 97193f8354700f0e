// An OpenID provider of one's own on a free port, for tests and for people: prints its issuer, a
// client and how to get a token, and ends with Ctrl-C. With `--with-parent` it ends when its stdin
// does. `POST /control/rotate` gives it new keys; `POST /control/keys/<how>` makes the address of
// its keys `ok`, `broken` (status 500), `slow` (no answer) or `down` (the connection is cut).
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const SECRET = 'kit-test-only-secret-of-the-client';
const CLIENTS = ['alice', 'bob'];
/** Clients that people sign in with; one of them has a secret. */
const PAGES = [
  { id: 'page', token_endpoint_auth_method: 'none' },
  { id: 'secretive-page', client_secret: SECRET, token_endpoint_auth_method: 'client_secret_basic' },
];
const SCOPES = ['serve:read', 'serve:run', 'serve:admin', 'approvals:resolve', 'iam:modify', '*'];

const server = createServer(answer);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;

/** Algorithm -> what makes a key for it. */
const KEY_PAIRS = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
};

const newKeys = () => ({
  keys: Object.entries(KEY_PAIRS).map(([alg, make]) => ({
    ...make().privateKey.export({ format: 'jwk' }),
    alg,
    use: 'sig',
    kid: randomUUID(),
  })),
});

/**
 * `https://kit.test/<algorithm>?audience=kit&ttl=60`: what a token is for, how it is signed, and
 * for how many seconds it holds. Another address, as clients of MCP name it: RS256.
 */
function resourceServer(_ctx, resource) {
  const { pathname, searchParams } = new URL(resource);
  return {
    scope: SCOPES.join(' '),
    audience: searchParams.get('audience') ?? 'kit',
    accessTokenFormat: 'jwt',
    accessTokenTTL: Number(searchParams.get('ttl') ?? 60),
    jwt: { sign: { alg: pathname.slice(1) in KEY_PAIRS ? pathname.slice(1) : 'RS256' } },
  };
}

const openProvider = () =>
  new Provider(issuer, {
    jwks: newKeys(),
    clients: [
      ...CLIENTS.map((id) => ({
        client_id: id,
        client_secret: SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
      })),
      ...PAGES.map(({ id, ...more }) => ({
        client_id: id,
        application_type: 'native', // any port of this machine
        grant_types: ['authorization_code'],
        redirect_uris: ['http://127.0.0.1/console/signed-in', 'http://127.0.0.1/callback'],
        response_types: ['code'],
        ...more,
      })),
    ],
    pkce: { required: () => true },
    findAccount: async (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, name: `${id} of the test` }) }),
    scopes: ['openid', 'profile', ...SCOPES],
    cookies: { keys: ['kit-test-only'] },
    extraTokenClaims: (_ctx, token) => {
      const who = token.accountId ?? token.clientId;
      return { name: `${who} of the test`, email: `${who}@kit.test` };
    },
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: resourceServer,
        // Whoever signs in names no resource.
        defaultResource: (_ctx, client) =>
          PAGES.some(({ id }) => id === client.clientId) ? 'https://kit.test/RS256' : undefined,
        useGrantedResource: () => true,
      },
    },
  });

// The provider tells people on the console what a test does not need.
console.warn = () => {};
console.info = () => {};
let callback = openProvider().callback();
let keysAre = 'ok';

function control(path) {
  if (path === '/control/rotate') callback = openProvider().callback();
  else keysAre = path.split('/').at(-1);
}

function answer(request, response) {
  if (request.method === 'POST' && request.url.startsWith('/control/')) {
    control(request.url);
    response.writeHead(204).end();
    return;
  }
  if (request.url === '/jwks' && keysAre !== 'ok') {
    if (keysAre === 'broken') response.writeHead(500).end('no');
    if (keysAre === 'down') request.socket.destroy();
    return;
  }
  callback(request, response);
}

function stop() {
  server.closeAllConnections();
  server.close(() => process.exit(0));
}
process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
if (process.argv.includes('--with-parent')) process.stdin.resume().on('end', stop).on('error', stop);
process.stdout.write(
  `${issuer}\ncurl -s ${issuer}/token -d grant_type=client_credentials -d client_id=alice -d client_secret=${SECRET} -d 'scope=serve:read serve:run' --data-urlencode 'resource=https://kit.test/RS256?audience=kit&ttl=3600'\n`,
);
