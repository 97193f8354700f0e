import { describe, expect, it, onTestFinished } from 'vitest';
import { contribution } from '../../../../plugins/serve/src/mounts/connections/mount.js';
import { KitError } from '../../../../src/domain/errors.js';
import { as, serveGroup } from '../../../support/http/serve-group.js';

const STATE = 'a-planted-state';
const login = { credential: 'notes', owner: '<b>ada</b>' };

/** Takes the answer of the browser that began the login, and of no other. */
async function open(publicUrl: string | null = null) {
  const seen: { binding: string; owner: string; redirectUri: string }[] = [];
  const connections = {
    begin: async (start: (typeof seen)[0]) => {
      seen.push(start);
      return { authorizationUrl: 'https://as.example/authorize', state: STATE };
    },
    finish: async ({ query, binding }: { query: string; binding: string | null }) => {
      if (new URLSearchParams(query).get('error') !== null)
        throw new KitError('KIT_LOGIN_FAILED', 'https://as.example says <script>alert(1)</script>');
      if (binding === null || binding !== seen[0]?.binding)
        throw new KitError('KIT_LOGIN_STATE', 'another browser began this login');
      return login;
    },
    logins: async () => [],
    remove: async () => ({ isDeleted: false, isRevokedUpstream: false, detail: 'nothing is there' }),
  };
  const serve = { current: () => ({ server: { publicUrl, allowedHosts: [] } }) };
  const server = await serveGroup(contribution, { connections, serve });
  onTestFinished(() => server.close());
  const begun = await server.inject({
    method: 'POST',
    url: '/api/oauth/login',
    headers: as('admin'),
    payload: { credential_id: 'notes' },
  });
  const cookie = String(begun.headers['set-cookie']);
  const back = (query: string, headers: Record<string, string> = {}) =>
    server.inject({ url: `/auth/mcp/callback?${query}`, headers });
  return { server, seen, begun, cookie, back };
}

describe('a login through a browser', () => {
  it('gives that browser a cookie, and ends in it with an escaped page', async () => {
    const { begun, cookie, back, seen } = await open('https://kit.example');

    expect(begun.json()).toEqual({ authorization_url: 'https://as.example/authorize', state: STATE });
    expect(cookie).toMatch(
      /^kit_login_[0-9a-f]{16}=[\w-]{43}; Path=\/auth\/mcp; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(cookie).not.toContain(STATE);
    expect(seen[0]).toMatchObject({ owner: 'alice', redirectUri: 'https://kit.example/auth/mcp/callback' });

    const page = await back(`state=${STATE}&code=x`, {
      cookie: `other=1; ${cookie.split(';')[0]}`,
      'sec-fetch-site': 'cross-site',
    });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'sha256-/);
    expect(page.headers['set-cookie']).toContain('Max-Age=0');
    expect(page.body).toContain('&#60;b&#62;ada&#60;/b&#62;');
    expect(page.body).toContain('data-origin="https://kit.example"');
    expect(page.body).not.toMatch(/<b>|postMessage\([^)]*'\*'/);
  });

  it('is refused without the cookie, with that of another login, and where the provider says no', async () => {
    const { cookie, back } = await open();
    const own = cookie.split(';')[0] ?? '';

    for (const [query, headers] of [
      [`state=${STATE}&code=x`, {}],
      [`state=${STATE}&code=x`, { cookie: own.replace(/=.*/, `=${'x'.repeat(43)}`) }],
      [`state=${STATE}&code=x`, { cookie: own.replace(/=.*/, '=short') }],
      ['state=another&code=x', { cookie: own }],
      ['code=x', { cookie: own }],
      [`state=${STATE}&error=access_denied`, { cookie: own }],
    ] as const) {
      const page = await back(query, { ...headers });
      expect([query, page.statusCode]).toEqual([query, 400]);
      expect(page.body).not.toMatch(/<script>alert|data-credential/);
    }
  });

  it('has a client document where the public address is https alone', async () => {
    const { server } = await open('https://kit.example/');
    const found = await server.inject({ url: '/auth/mcp/client.json' });

    expect(found.json()).toMatchObject({
      client_id: 'https://kit.example/auth/mcp/client.json',
      redirect_uris: ['https://kit.example/auth/mcp/callback'],
      token_endpoint_auth_method: 'none',
    });
    expect((await (await open()).server.inject({ url: '/auth/mcp/client.json' })).statusCode).toBe(404);
  });

  it.each(['https://Kit.Example:443/', 'https://kit.example/team/'])(
    'names in that document, under %s, what a login sends',
    async (publicUrl) => {
      const { server, seen } = await open(publicUrl);
      const document = (await server.inject({ url: '/auth/mcp/client.json' })).json();

      expect(document.redirect_uris).toEqual([seen[0]?.redirectUri]);
      expect(seen[0]).toMatchObject({ clientMetadataUrl: document.client_id });
    },
  );

  it('asks for tiers: admin begins and lists, whoever runs removes their own', async () => {
    const { server } = await open();
    const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, who: 'read' | 'run' | 'admin') =>
      server.inject({
        method,
        url,
        headers: as(who),
        ...(method === 'POST' ? { payload: { credential_id: 'x' } } : {}),
      });

    expect((await ask('POST', '/api/oauth/login', 'run')).statusCode).toBe(403);
    expect((await ask('GET', '/api/oauth/credentials', 'run')).statusCode).toBe(403);
    expect((await ask('GET', '/api/oauth/credentials', 'admin')).json()).toEqual({ credentials: [] });
    expect((await ask('DELETE', '/api/oauth/credentials/notes', 'read')).statusCode).toBe(403);
    expect((await ask('DELETE', '/api/oauth/credentials/notes', 'run')).json()).toEqual({
      deleted: false,
      reason: 'nothing is there',
    });
  });
});
