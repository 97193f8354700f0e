import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { probeOAuth } from '../../../plugins/oauth/src/discovery/probe.js';
import { metadataIn } from '../../../plugins/oauth/src/discovery/resource-metadata.js';
import { LOGIN } from '../../../plugins/oauth/src/parts.js';
import { createGuardedFetch } from '../../../src/system/guarded-fetch/guarded-fetch.js';
import { startOidc } from '../../support/components/oidc.js';
import { askOf, loginWorld } from './login-world.js';

/** Path to what stands there. `{o}` is the origin of the server. */
type Site = Readonly<Record<string, object | string>>;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

/** A server that asks for a token at `/mcp`, and has these documents. */
async function site(documents: Site, challenge: string | null = null): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const fill = (text: string): string => text.replaceAll('{o}', origin);
    if (path === '/mcp' || path === '/team/mcp') {
      if (challenge !== null) response.setHeader('www-authenticate', fill(challenge));
      response.writeHead(401).end('no token');
      return;
    }
    const found = documents[path];
    if (found === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>not here</h1>');
    else
      response
        .setHeader('content-type', 'application/json')
        .end(fill(typeof found === 'string' ? found : JSON.stringify(found)));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, asked };
}

const fetch = createGuardedFetch({ rules: () => ({ isLocal: true, allow: [] }) });

const AS = (issuer: string, more: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['of-the-server'],
  ...more,
});
const PRM = (resource: string, issuer: string, more: object = {}) => ({
  resource,
  authorization_servers: [issuer],
  ...more,
});
const OAUTH = '/.well-known/oauth-authorization-server';
const OIDC = '/.well-known/openid-configuration';
const RESOURCE = '/.well-known/oauth-protected-resource';

const FOUND: readonly (readonly [what: string, site: Site, challenge: string | null, expected: object])[] = [
  [
    'where the challenge says',
    { '/anywhere.json': PRM('{o}/mcp', '{o}/as', { scopes_supported: ['notes'] }), [`${OAUTH}/as`]: AS('{o}/as') },
    'Bearer realm="x", resource_metadata="{o}/anywhere.json"',
    { issuer: '/as', scopes: ['notes'] },
  ],
  [
    'where the challenge says, without quotes',
    { '/anywhere.json': PRM('{o}/mcp', '{o}'), [OAUTH]: AS('{o}') },
    'Bearer resource_metadata={o}/anywhere.json',
    { issuer: '', scopes: ['of-the-server'] },
  ],
  [
    'below the path of the server',
    { [`${RESOURCE}/mcp`]: PRM('{o}/mcp', '{o}/as'), [`${OAUTH}/as`]: AS('{o}/as') },
    null,
    { issuer: '/as' },
  ],
  [
    'at the origin, for all that lies there',
    { [RESOURCE]: PRM('{o}', '{o}/as'), [`${OAUTH}/as`]: AS('{o}/as') },
    null,
    { issuer: '/as' },
  ],
  ['nowhere, and the origin is its own authorization server', { [OAUTH]: AS('{o}') }, null, { issuer: '' }],
  ['as a document of OpenID Connect at the origin', { [OIDC]: AS('{o}') }, null, { issuer: '' }],
  [
    'as a document of OpenID Connect before the path',
    { [RESOURCE]: PRM('{o}', '{o}/as'), [`${OIDC}/as`]: AS('{o}/as') },
    null,
    { issuer: '/as' },
  ],
  [
    'as a document of OpenID Connect behind the path',
    { [RESOURCE]: PRM('{o}', '{o}/as'), [`/as${OIDC}`]: AS('{o}/as') },
    null,
    { issuer: '/as' },
  ],
];

describe('metadata is found', () => {
  it.each(FOUND)('%s', async (_what, documents, challenge, expected) => {
    const { origin } = await site(documents, challenge);
    const { issuer, ...more } = expected as { issuer: string };

    expect(await probeOAuth(`${origin}/mcp`, fetch)).toMatchObject({
      isSupported: true,
      issuer: `${origin}${issuer}`,
      authorizationEndpoint: `${origin}${issuer}/authorize`,
      supportsRegistration: false,
      ...more,
    });
  });

  it('of a real OpenID provider', async () => {
    const provider = await startOidc();
    try {
      expect(await probeOAuth(`${provider.issuer}/mcp`, fetch)).toMatchObject({
        isSupported: true,
        issuer: provider.issuer,
        authorizationEndpoint: `${provider.issuer}/auth`,
      });
    } finally {
      await provider.close();
    }
  });

  it('and says whether clients may register themselves', async () => {
    const { origin } = await site({ [OAUTH]: AS('{o}', { registration_endpoint: '{o}/register' }) });

    expect(await probeOAuth(`${origin}/mcp`, fetch)).toMatchObject({ isSupported: true, supportsRegistration: true });
  });
});

const REFUSED: readonly (readonly [what: string, site: Site, says: string])[] = [
  ['no metadata at all', {}, 'has no metadata'],
  ['metadata of another issuer', { [OAUTH]: AS('https://evil.example') }, 'has no metadata'],
  ['metadata that is not JSON', { [OAUTH]: '<html>' }, 'has no metadata'],
  ['metadata without S256', { [OAUTH]: AS('{o}', { code_challenge_methods_supported: ['plain'] }) }, 'S256'],
  [
    'metadata that says nothing of PKCE',
    { [OAUTH]: AS('{o}', { code_challenge_methods_supported: undefined }) },
    'S256',
  ],
  ['no token endpoint', { [OAUTH]: AS('{o}', { token_endpoint: undefined }) }, 'token_endpoint'],
  [
    'an authorization endpoint that is a program',
    { [OAUTH]: AS('{o}', { authorization_endpoint: 'javascript:alert(1)' }) },
    'authorization_endpoint is neither https',
  ],
  ...['file:///etc/passwd', 'data:text/html,x', 'ftp://login.example/', 'http://10.0.0.1/authorize'].map(
    (authorization_endpoint): (typeof REFUSED)[number] => [
      `the authorization endpoint ${authorization_endpoint}`,
      { [OAUTH]: AS('{o}', { authorization_endpoint }) },
      'authorization_endpoint is neither https',
    ],
  ),
  [
    'an authorization endpoint over http elsewhere',
    { [OAUTH]: AS('{o}', { authorization_endpoint: 'http://login.example/authorize' }) },
    'authorization_endpoint is neither https',
  ],
  [
    'an authorization server over http elsewhere',
    { [RESOURCE]: PRM('{o}', 'http://login.example') },
    'authorization server is neither https',
  ],
];

describe('a server is not taken for one that speaks OAuth', () => {
  it.each(REFUSED)('with %s', async (_what, documents, says) => {
    const { origin } = await site(documents);

    const probe = await probeOAuth(`${origin}/mcp`, fetch);
    expect(probe).toEqual({ isSupported: false, detail: expect.stringContaining(says) });
  });

  it('where nothing answers, or what was given is not an address', async () => {
    expect(await probeOAuth('http://127.0.0.1:9/mcp', fetch)).toMatchObject({ isSupported: false });
    expect(await probeOAuth('no address', fetch)).toMatchObject({ isSupported: false });
  });
});

describe('metadata of somebody else', () => {
  it('does not count, wherever the challenge says that it stands', async () => {
    const other = await site({ '/stolen.json': PRM('https://other.example/mcp', 'https://evil.example') });
    const { origin } = await site({ [OAUTH]: AS('{o}') }, `Bearer resource_metadata="${other.origin}/stolen.json"`);

    expect(await probeOAuth(`${origin}/mcp`, fetch)).toMatchObject({ isSupported: true, issuer: origin });
  });

  it('is not that of a folder beside', async () => {
    const { origin } = await site({ [RESOURCE]: PRM('{o}/tea', 'https://evil.example'), [OAUTH]: AS('{o}') });

    expect(await probeOAuth(`${origin}/team/mcp`, fetch)).toMatchObject({ isSupported: true, issuer: origin });
  });

  it('is not fetched from addresses that kit does not call', async () => {
    const { origin } = await site({}, 'Bearer resource_metadata="http://169.254.169.254/latest/meta-data"');

    await expect(probeOAuth(`${origin}/mcp`, fetch)).rejects.toMatchObject({ code: 'KIT_OUTBOUND_REFUSED' });
  });
});

describe('a challenge', () => {
  it.each([
    ['Bearer resource_metadata="https://a.example/m"', 'https://a.example/m'],
    ['Bearer error="x", RESOURCE_METADATA=https://a.example/m, scope="y"', 'https://a.example/m'],
    ['Bearer not_resource_metadata="https://a.example/m"', null],
    ['Bearer', null],
    [null, null],
    [`Bearer ${'a="b",'.repeat(100_000)}resource_metadata="https://a.example/m"`, null],
  ] as const)('%.60s', (header, found) => {
    expect(metadataIn(header)).toBe(found);
  });
});

it('an address that no browser takes as a word begins no login', async () => {
  const endpoint = `https://as.example/${'a'.repeat(300_000)}`;
  const { origin } = await site({ [OAUTH]: AS('{o}', { authorization_endpoint: endpoint }) });
  const { open, vault } = loginWorld();
  const { logins } = await open();

  await expect(logins.begin(askOf(`${origin}/mcp`, { clientId: 'given' }))).rejects.toMatchObject({
    code: 'KIT_LOGIN_FAILED',
    message: expect.stringContaining('more than 32000 characters'),
  });
  expect(await vault.list(LOGIN)).toEqual([]);
});
