import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browse } from '../../support/components/browse-login.mjs';
import { GIVEN_SECRET, type LoginProvider, startLoginProvider } from '../../support/components/login-provider.js';
import { askOf, logIn, loginWorld } from './login-world.js';

let provider: LoginProvider;
beforeAll(async () => {
  provider = await startLoginProvider();
});
afterAll(() => provider.close());
beforeEach(async () => {
  await provider.behave({ ttl: 3600, token: 'ok', registration: true, refreshTokens: true });
});

const config = () => ({ endpoint: provider.endpoint });

describe('a login', () => {
  it('ends with a token that the server takes, bound to it, and shows none of it', async () => {
    const { logins, resolve } = await loginWorld().open();

    const { login } = await logIn(logins, provider.endpoint);

    expect(login).toMatchObject({
      credential: 'notes',
      owner: 'ada',
      provider: provider.origin,
      endpoint: provider.endpoint,
      hasRefreshToken: true,
      isExpired: false,
      flaw: null,
    });
    expect(login.scopes).toContain('mcp:read');
    const token = await resolve('notes', config());
    const answer = await fetch(provider.endpoint, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(await logins.list())).not.toContain(token);
  });

  it('for an agent is one at the server that its card names, and is refreshed like any other', async () => {
    const { logins, prepare, resolve } = await loginWorld().open();
    const card = `${provider.origin}/card.json`;
    await provider.behave({ ttl: 300 });

    const { login } = await logIn(logins, card);

    expect(login).toMatchObject({ provider: provider.origin, endpoint: card, flaw: null });
    const { refresh } = await provider.behave({ ttl: 3600 });
    const before = await resolve('notes', { endpoint: card });
    await prepare?.([{ name: 'notes', config: { endpoint: card } }], { owner: null, windowS: 900 });
    expect((await provider.counts()).refresh).toBe(refresh + 1);
    expect(await resolve('notes', { endpoint: card })).not.toBe(before);
  });

  it('takes a client that was registered by hand, with its secret', async () => {
    const { logins } = await loginWorld().open();
    const { registered } = await provider.behave({ registration: false });

    const { login } = await logIn(logins, provider.endpoint, { clientId: 'given', clientSecret: GIVEN_SECRET });

    expect(login.flaw).toBeNull();
    expect((await provider.counts()).registered).toBe(registered);
  });

  it('says what the provider said where it registers no client', async () => {
    const { logins } = await loginWorld().open();
    await provider.behave({ registration: false });

    await expect(logins.begin(askOf(provider.endpoint))).rejects.toMatchObject({
      code: 'KIT_LOGIN_FAILED',
      message: expect.stringContaining('access_denied: no <b>strangers</b>'),
    });
  });

  it('tells a page of errors as one line of text', async () => {
    const { logins } = await loginWorld().open();
    await provider.behave({ token: 'html' });

    const failure = await logIn(logins, provider.endpoint).catch((error: Error) => error);

    expect(failure).toMatchObject({ code: 'KIT_LOGIN_FAILED', message: expect.stringContaining('(502)') });
    expect((failure as Error).message).not.toMatch(/<script>|\n/);
    expect(await logins.list()).toEqual([]);
  });

  it('names the person who said no', async () => {
    const { logins } = await loginWorld().open();
    const begun = await logins.begin(askOf(provider.endpoint));
    const query = new URL(await browse(begun.authorizationUrl, { decide: 'deny' })).search.slice(1);

    await expect(logins.finish({ query, binding: 'the browser of ada' })).rejects.toMatchObject({
      code: 'KIT_LOGIN_FAILED',
      message: expect.stringContaining('access_denied'),
    });
  });

  it('is removed, and revoked at the provider', async () => {
    const { logins, resolve } = await loginWorld().open();
    await logIn(logins, provider.endpoint);
    const { revoked } = await provider.counts();

    expect(await logins.remove('notes', 'bob')).toMatchObject({ isDeleted: false });
    expect(await logins.remove('notes', 'ada')).toMatchObject({ isDeleted: true, isRevokedUpstream: true });

    expect((await provider.counts()).revoked).toBe(revoked + 1);
    await expect(resolve('notes', config())).rejects.toMatchObject({ code: 'KIT_CONSENT_REQUIRED' });
  });
});

describe('an answer is refused', () => {
  const refused = { code: 'KIT_LOGIN_STATE' };
  const binding = 'the browser of ada';

  it('that was given before', async () => {
    const { logins } = await loginWorld().open();
    const { query } = await logIn(logins, provider.endpoint);

    await expect(logins.finish({ query, binding })).rejects.toMatchObject(refused);
  });

  it('after 600 seconds', async () => {
    const world = loginWorld();
    const { logins } = await world.open();
    const begun = await logins.begin(askOf(provider.endpoint));
    const query = new URL(await browse(begun.authorizationUrl)).search.slice(1);
    world.pass(600_001);

    await expect(logins.finish({ query, binding })).rejects.toMatchObject(refused);
  });

  it.each([
    ['that another browser brings', 'the browser of bob'],
    ['that a browser without the cookie brings', null],
  ])('%s, and is good for nobody then', async (_what, brought) => {
    const { logins } = await loginWorld().open();
    const begun = await logins.begin(askOf(provider.endpoint));
    const query = new URL(await browse(begun.authorizationUrl)).search.slice(1);

    await expect(logins.finish({ query, binding: brought })).rejects.toMatchObject(refused);
    await expect(logins.finish({ query, binding })).rejects.toMatchObject(refused);
    expect(await logins.list()).toEqual([]);
  });

  it.each(['', 'state=', 'state=nobody&code=x', `state=${'x'.repeat(100_000)}`])('of nobody: %.40s', async (query) => {
    const { logins } = await loginWorld().open();

    await expect(logins.finish({ query, binding })).rejects.toMatchObject(refused);
  });

  it('that names another issuer', async () => {
    const { logins } = await loginWorld().open();
    const begun = await logins.begin(askOf(provider.endpoint));
    const url = new URL(await browse(begun.authorizationUrl));
    url.searchParams.set('iss', 'https://evil.example');

    await expect(logins.finish({ query: url.search.slice(1), binding })).rejects.toMatchObject({
      code: 'KIT_LOGIN_FAILED',
      message: expect.stringContaining('iss'),
    });
  });
});
