import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/auth/src/jwt.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { AuthProvider, SignIn, SignInAnswer } from '../../../src/domain/ports/http.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { createClock } from '../../../src/system/clock.js';
import { browse } from '../../support/components/browse-login.mjs';
import { CLIENT_SECRET, startOidc, type TestOidc } from '../../support/components/oidc.js';

let oidc: TestOidc;
beforeAll(async () => {
  oidc = await startOidc();
});
afterAll(() => oidc.close());

const PAGE = 'http://127.0.0.1:4711/console/signed-in';
const SCOPE = 'openid profile serve:read serve:run';

type Signing = AuthProvider & { readonly signIn: SignIn };

async function open(config: JsonObject = {}, answer: typeof fetch = fetch): Promise<Signing> {
  const context = { ...createTestContext({}), clock: createClock(), fetch: answer };
  const settings = { issuer: oidc.issuer, client_id: 'page', scope: SCOPE, ...config };
  return (await contribution.create(settings, context)) as Signing;
}

/** As far as a browser comes: at the page again, with a code. */
async function walk(
  auth: Signing,
  { client = 'page', redirectUri = PAGE, user = 'carol' } = {},
): Promise<SignInAnswer> {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL((await auth.signIn.authorizationEndpoint()) ?? '');
  const asked = {
    response_type: 'code',
    client_id: client,
    redirect_uri: redirectUri,
    scope: SCOPE,
    state: 'any',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  const end = new URL(await browse(url.href, { user }));
  return {
    code: end.searchParams.get('code') ?? '',
    verifier,
    redirectUri,
    issuer: end.searchParams.get('iss'),
  };
}

const callerOf = async (auth: AuthProvider, token: string): Promise<unknown> =>
  auth.authenticate({ authorization: `Bearer ${token}` });

describe('a sign-in at a real OpenID provider', () => {
  it('ends with an access token that the server accepts', async () => {
    const auth = await open();

    const { token, expiresInS } = await auth.signIn.finish(await walk(auth));

    expect(expiresInS).toBe(60);
    expect(await callerOf(auth, token)).toMatchObject({
      caller: { clientId: 'carol', clientName: 'carol of the test', scopes: ['serve:read', 'serve:run'] },
    });
  });

  it('reads once what the issuer says of itself, for the sign-in and for the keys of its token', async () => {
    const asked: string[] = [];
    const auth = await open({}, (input, init) => {
      asked.push(new URL(String(input)).pathname);
      return fetch(input, init);
    });

    const { token } = await auth.signIn.finish(await walk(auth));
    await callerOf(auth, token);

    expect(asked.filter((path) => path.includes('/.well-known/'))).toEqual(['/.well-known/openid-configuration']);
  });

  it('ends with the id token where the audience is the client', async () => {
    const auth = await open({ audience: 'page', base_scopes: ['serve:read'] });

    const { token } = await auth.signIn.finish(await walk(auth));

    expect(await callerOf(auth, token)).toMatchObject({ caller: { clientId: 'carol', scopes: ['serve:read'] } });
    expect(auth.info().oidc).toMatchObject({ client_id: 'page', token: 'id' });
  });

  it('proves the client by its secret, and says when that is wrong', async () => {
    const own = { client: 'secretive-page' };
    const auth = await open({ client_id: 'secretive-page', client_secret: CLIENT_SECRET });
    const wrong = await open({ client_id: 'secretive-page', client_secret: 'not-the-secret-of-anybody' });

    expect((await auth.signIn.finish(await walk(auth, own))).token).toMatch(/^eyJ/);
    await expect(wrong.signIn.finish(await walk(wrong, own))).rejects.toMatchObject({
      code: 'KIT_LOGIN_FAILED',
      message: expect.not.stringContaining('not-the-secret'),
    });
  });

  it('takes a code once, with its own verifier and its own address, from its own issuer', async () => {
    const auth = await open();
    const used = await walk(auth);
    await auth.signIn.finish(used);
    const others: readonly SignInAnswer[] = [
      used,
      { ...(await walk(auth)), verifier: randomBytes(32).toString('base64url') },
      { ...(await walk(auth)), redirectUri: 'http://127.0.0.1:4711/callback' },
      { ...(await walk(auth)), issuer: 'https://elsewhere.example' },
    ];

    for (const answer of others) {
      const refusal = await auth.signIn.finish(answer).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'KIT_LOGIN_FAILED' });
      for (const secret of [answer.code, answer.verifier]) expect(String(refusal)).not.toContain(secret);
    }
  });

  it('says what is missing in a token that the server does not accept', async () => {
    const auth = await open({ audience: 'another-api', token: 'access' });

    await expect(auth.signIn.finish(await walk(auth))).rejects.toThrow('for another audience than another-api');
  });

  it('is not offered without a client', async () => {
    const auth = (await contribution.create({ issuer: oidc.issuer }, createTestContext({}))) as AuthProvider;

    expect(auth.signIn).toBeNull();
  });
});

it('sends a name and a secret of a client as they are written, to issuers that compare without decoding', async () => {
  const meta = {
    issuer: 'https://id.example',
    authorization_endpoint: 'https://id.example/a',
    token_endpoint: 'https://id.example/t',
  };
  const sent: (string | null)[] = [];
  const answering = (async (url: string, init: RequestInit) => {
    if (!url.endsWith('/t')) return Response.json(meta);
    sent.push(new Headers(init.headers).get('authorization'));
    return Response.json({ error: 'invalid_grant' }, { status: 400 });
  }) as unknown as typeof fetch;
  const { signIn } = await open(
    { issuer: 'https://id.example', client_id: 'a_b-c', client_secret: 's-e_c' },
    answering,
  );

  await signIn.finish({ code: 'c', verifier: 'v'.repeat(43), redirectUri: PAGE, issuer: null }).catch(() => undefined);

  expect(sent).toEqual([`Basic ${Buffer.from('a_b-c:s-e_c').toString('base64')}`]);
});

describe('an issuer that answers something else', () => {
  const saying = (text: string, status = 200): typeof fetch =>
    (async () => new Response(text, { status })) as unknown as typeof fetch;
  const META = { authorization_endpoint: 'https://id.example/a', token_endpoint: 'https://id.example/t' };
  const ANSWER = { code: 'c', verifier: 'v'.repeat(43), redirectUri: PAGE, issuer: null };

  it.each([
    ['HTML', '<h1>Bad gateway</h1>'],
    ['another issuer', JSON.stringify({ ...META, issuer: 'https://other.example' })],
    ['nothing', ''],
    ['too much', `{"a":"${'x'.repeat(2_000_000)}"}`],
    ['no endpoint', JSON.stringify({ issuer: 'https://id.example' })],
    ['endpoints in the clear', JSON.stringify({ issuer: 'https://id.example', authorization_endpoint: 'http://x/' })],
  ])('%s has no page to sign in at, and gives no token', async (_name, text) => {
    const { signIn } = await open({ issuer: 'https://id.example' }, saying(text));

    expect(await signIn.authorizationEndpoint()).toBeNull();
    await expect(signIn.finish(ANSWER)).rejects.toMatchObject({ code: 'KIT_LOGIN_FAILED' });
  });

  it('is read to a bound, however much it sends', async () => {
    let sent = 0;
    const endless = (async () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            sent += 65_536;
            controller.enqueue(new Uint8Array(65_536).fill(32));
          },
        }),
      )) as unknown as typeof fetch;
    const { signIn } = await open({ issuer: 'https://id.example' }, endless);

    expect(await signIn.authorizationEndpoint()).toBeNull();
    expect(sent).toBeLessThan(2_000_000);
  });

  it('is asked once for many who look', async () => {
    let asked = 0;
    const broken = (async () => {
      asked += 1;
      return new Response('', { status: 500 });
    }) as unknown as typeof fetch;
    const { signIn } = await open({ issuer: 'https://id.example' }, broken);

    await Promise.all(Array.from({ length: 20 }, () => signIn.authorizationEndpoint()));
    await signIn.authorizationEndpoint();
    expect(asked).toBe(1);
  });
});
