// A server with tools over MCP and the OpenID provider where people log in for it, on one free
// port, for tests and for people: prints its address, and ends with Ctrl-C. With `--with-parent` it
// ends when its stdin does; `--reads-documents`: a client's id may be the address of its document.
// `POST /control` with JSON changes how it behaves, `GET /control` tells what it was asked for.

import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { CHALLENGES, RESULTS } from './login-answers.mjs';

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;
const RESOURCE = `${origin}/mcp`;

/** How it behaves; `POST /control` changes members of it. */
const behaves = {
  /** Seconds that an access token holds. */
  ttl: 3600,
  /** `ok`, `html` (an error page), `hang` (an answer that never comes), `down`. */
  token: 'ok',
  registration: true,
  refreshTokens: true,
  /** Scopes that tokens of the resource may have. */
  scope: 'mcp:read mcp:write',
  /** What calls of tools are answered with: `ok`, `unauthorized` (401), `forbidden` (403). */
  calls: 'ok',
  /** Milliseconds before each answer of the token endpoint. */
  delayMs: 0,
  /** Milliseconds between a refresh and its answer. */
  holdMs: 0,
  /** A refresh ends the token before it at once: nobody takes it any more. */
  endsOld: false,
  /** The next call of a tool is looked at once a refresh has come and gone. */
  isLate: false,
};
const counts = {
  token: 0,
  refresh: 0,
  revoked: 0,
  registered: 0,
  refused: 0,
  hung: 0,
  mcp: 0,
  calls: 0,
  ended: 0,
  late: 0,
  documents: 0,
};
/** What nobody but the two sides of a login may read: tokens, codes, verifiers, states, secrets. */
const secrets = new Set();
const keepSecrets = (from, names) => {
  for (const name of names) if (typeof from?.[name] === 'string') secrets.add(from[name]);
};
/** The token of the last refresh; null = there was none yet. */
let newest = null;
/** Bearers that MCP was called with. */
const bearers = new Set();

const provider = new Provider(origin, {
  clients: [
    {
      client_id: 'given',
      client_secret: 'kit-test-only-secret-of-the-given-client',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: ['http://127.0.0.1:1/callback'],
      application_type: 'native',
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  ],
  pkce: { required: () => true },
  scopes: ['openid', 'offline_access', 'mcp:read', 'mcp:write'],
  clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
  cookies: { keys: ['kit-test-only'] },
  issueRefreshToken: async (_ctx, client) => behaves.refreshTokens && client.grantTypeAllowed('refresh_token'),
  rotateRefreshToken: true,
  // Without the guard of the library: what a test serves lies at this machine.
  fetch: (url, { dispatcher: _guard, ...options }) => {
    counts.documents += 1;
    return fetch(url, options);
  },
  findAccount: async (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  features: {
    devInteractions: { enabled: true },
    registration: { enabled: true },
    revocation: { enabled: true },
    introspection: { enabled: true },
    deviceFlow: { enabled: true },
    clientIdMetadataDocument: { enabled: process.argv.includes('--reads-documents'), ack: 'draft-02' },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: behaves.scope,
        audience: RESOURCE,
        accessTokenFormat: 'opaque',
        accessTokenTTL: behaves.ttl,
      }),
    },
  },
});
provider.on('authorization.success', (ctx) => keepSecrets(ctx.oidc.params, ['state']));
provider.on('grant.success', (ctx) => {
  keepSecrets(ctx.oidc.params, ['code', 'code_verifier', 'refresh_token']);
  keepSecrets(ctx.body, ['access_token', 'refresh_token']);
  if (ctx.oidc.params.grant_type !== 'refresh_token') return;
  counts.refresh += 1;
  newest = ctx.body.access_token;
});
provider.on('grant.error', () => {
  counts.refused += 1;
});
provider.on('grant.revoked', () => {
  counts.revoked += 1;
});
provider.on('registration_create.success', (ctx) => {
  keepSecrets(ctx.body, ['client_secret', 'registration_access_token']);
  counts.registered += 1;
});
// The provider tells people on the console what a test does not need.
console.warn = () => {};
console.info = () => {};
// The work is done, and whoever asked does not know it yet.
provider.use(async (ctx, next) => {
  await next();
  if (ctx.path === '/token' && behaves.holdMs > 0) await new Promise((resolve) => setTimeout(resolve, behaves.holdMs));
});
const callback = provider.callback();

async function textOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

const json = (response, status, value, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

async function control(request, response) {
  if (request.method === 'POST') Object.assign(behaves, JSON.parse(await textOf(request)));
  json(response, 200, { ...counts, bearers: [...bearers], secrets: [...secrets] });
}

/** Who has no token that holds is told where to get one. */
async function isLetIn(request, response) {
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const token = bearer === undefined ? undefined : await provider.AccessToken.find(bearer);
  const isEnded = behaves.endsOld && newest !== null && bearer !== newest;
  if (token === undefined || token.isExpired || isEnded) {
    if (isEnded) counts.ended += 1;
    json(
      response,
      401,
      { error: 'no token' },
      {
        'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="mcp:read"`,
      },
    );
    return false;
  }
  bearers.add(bearer);
  return true;
}

/** True: the call was refused as `calls` says. */
function isRefusedCall(response) {
  counts.calls += 1;
  const challenge = CHALLENGES[behaves.calls];
  if (challenge !== undefined)
    json(response, challenge.status, { error: 'no' }, { 'www-authenticate': challenge.header });
  return challenge !== undefined;
}

/** An agent that answers each message at once (A2A 1.0). */
async function agent(request, response) {
  if (!(await isLetIn(request, response)) || isRefusedCall(response)) return;
  const { id } = JSON.parse(await textOf(request));
  const artifacts = [{ artifactId: 'a', parts: [{ text: 'hello from the agent' }] }];
  const task = { id: 't1', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' }, artifacts };
  json(response, 200, { jsonrpc: '2.0', id, result: { task } });
}

async function mcp(request, response) {
  const text = await textOf(request);
  if (behaves.isLate && text.includes('"tools/call"')) {
    behaves.isLate = false;
    counts.late += 1;
    await once(provider, 'grant.success');
  }
  if (!(await isLetIn(request, response))) return;
  counts.mcp += 1;
  if (request.method !== 'POST') return response.writeHead(405).end();
  const { id, method, params } = JSON.parse(text);
  if (method === 'tools/call' && isRefusedCall(response)) return;
  if (id === undefined) return response.writeHead(202).end();
  const result = RESULTS[method]?.(params ?? {});
  json(response, 200, {
    jsonrpc: '2.0',
    id,
    ...(result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result }),
  });
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, origin);
  if (pathname === '/control') return control(request, response);
  if (pathname === '/mcp') return mcp(request, response);
  if (pathname === '/a2a') return agent(request, response);
  if (pathname === '/.well-known/oauth-protected-resource/mcp')
    return json(response, 200, { resource: RESOURCE, authorization_servers: [origin], scopes_supported: ['mcp:read'] });
  if (pathname === '/card.json')
    return json(response, 200, {
      name: 'Notes',
      supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      skills: [{ id: 'plain', name: 'plain' }],
      capabilities: {},
      securitySchemes: {
        key: { type: 'apiKey' },
        login: { type: 'openIdConnect', openIdConnectUrl: `${origin}/.well-known/openid-configuration` },
      },
    });
  if (pathname === '/reg' && !behaves.registration)
    return json(response, 403, { error: 'access_denied', error_description: 'no <b>strangers</b>' });
  if (pathname === '/token') {
    counts.token += 1;
    if (behaves.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, behaves.delayMs));
    if (behaves.token === 'html')
      return response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad <script>gateway</script></h1>');
    if (behaves.token === 'down') return request.socket.destroy();
    if (behaves.token === 'hang') {
      // The provider does its work, and the answer is lost on the way.
      counts.hung += 1;
      response.write = () => true;
      response.end = () => response;
      response.writeHead = () => response;
    }
  }
  callback(request, response);
}

function stop() {
  server.closeAllConnections();
  server.close(() => process.exit(0));
}
process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
if (process.argv.includes('--with-parent')) process.stdin.resume().on('end', stop).on('error', stop);
process.stdout.write(`${origin}\n`);
