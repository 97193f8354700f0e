import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/auth/src/jwt.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { AuthProvider, AuthVerdict } from '../../../src/domain/ports/http.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { TestClock } from '../../../src/sdk/testing.js';
import { startOidc, type TestOidc } from '../../support/components/oidc.js';

let oidc: TestOidc;
beforeAll(async () => {
  oidc = await startOidc();
});
afterAll(() => oidc.close());
afterEach(() => oidc.keys('ok'));

interface Opened {
  readonly auth: AuthProvider;
  readonly clock: TestClock;
  /** Addresses that were asked, in order. */
  readonly asked: readonly string[];
  readonly logged: readonly string[];
}

async function open(config: JsonObject = {}): Promise<Opened> {
  const clock = new TestClock(Date.now());
  const asked: string[] = [];
  const logged: string[] = [];
  const write = (message: string, data?: object): void => void logged.push(`${message} ${JSON.stringify(data ?? {})}`);
  const context = {
    ...createTestContext({}),
    clock,
    log: { debug: write, info: write, warn: write, error: write },
    fetch: (async (input, init) => {
      asked.push(String(input));
      return fetch(input, init);
    }) as typeof fetch,
  };
  return { auth: await contribution.create({ issuer: oidc.issuer, ...config }, context), clock, asked, logged };
}

const call = (auth: AuthProvider, token: string): Promise<AuthVerdict> =>
  auth.authenticate({ authorization: `Bearer ${token}` });
const detailOf = (verdict: AuthVerdict): string => (verdict.kind === 'refused' ? verdict.detail : 'accepted');
const KEYS = '/jwks';

describe('a token of a real OpenID provider', () => {
  it.each(['RS256', 'ES256', 'PS256', 'EdDSA'] as const)('signed with %s names its caller', async (algorithm) => {
    const { auth } = await open();

    expect(await call(auth, await oidc.token({ algorithm }))).toEqual({
      kind: 'caller',
      caller: {
        clientId: 'alice',
        clientName: 'alice of the test',
        provider: 'jwt',
        scopes: ['serve:read', 'serve:run'],
        assurance: 'authenticated',
      },
    });
  });

  it('loses scopes that belong to people, and that is logged once', async () => {
    const { auth, logged } = await open();
    const token = await oidc.token({ scope: 'serve:read approvals:resolve iam:modify *' });

    const verdicts = [await call(auth, token), await call(auth, token)];

    for (const verdict of verdicts) expect(verdict).toMatchObject({ caller: { scopes: ['serve:read'] } });
    expect(logged).toEqual([expect.stringContaining('"approvals:resolve","iam:modify","*"')]);
  });

  it('names its caller by the claim that the workspace chooses', async () => {
    const { auth } = await open({ client_id_claim: 'email' });

    expect(await call(auth, await oidc.token({ clientId: 'bob' }))).toMatchObject({
      caller: { clientId: 'bob@kit.test' },
    });
  });

  it('for another audience is refused, and says for which it should be', async () => {
    const { auth } = await open();

    expect(await call(auth, await oidc.token({ audience: 'somebody-else' }))).toEqual({
      kind: 'refused',
      detail: 'the token is for another audience than kit',
      error: 'invalid_token',
    });
  });

  it('of another issuer is refused', async () => {
    const { auth } = await open({ issuer: 'https://id.invalid', jwks_url: `${oidc.issuer}/jwks` });

    expect(detailOf(await call(auth, await oidc.token()))).toBe('the token is from another issuer');
  });

  it('holds until a minute after its end by the clock of the server, and not longer', async () => {
    const { auth, clock } = await open();
    const token = await oidc.token({ ttlSeconds: 30 });
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      readonly exp: number;
    };
    await call(auth, token);

    await clock.advance(exp * 1000 + 59_000 - clock.now());
    const before = detailOf(await call(auth, token));
    await clock.advance(1_000);
    const after = detailOf(await call(auth, token));

    expect([before, after]).toEqual(['accepted', 'the token has expired']);
  });
});

describe('the keys of an issuer', () => {
  it('are found by discovery, fetched once for many requests, and again after ten minutes', async () => {
    const { auth, clock, asked } = await open();
    const token = await oidc.token({ ttlSeconds: 3_600 });

    await Promise.all(Array.from({ length: 20 }, () => call(auth, token)));
    expect(asked.map((url) => new URL(url).pathname)).toEqual(['/.well-known/openid-configuration', KEYS]);

    await clock.advance(10 * 60_000 - 1);
    await call(auth, token);
    expect(asked).toHaveLength(2);
    await clock.advance(1);
    await call(auth, token);
    expect(asked).toHaveLength(4);
  });

  it('are fetched anew for a key that nobody knows, at most every 30 seconds', async () => {
    const { auth, clock, asked } = await open({ jwks_url: `${oidc.issuer}/jwks` });
    await call(auth, await oidc.token());
    await oidc.rotate();
    const rotated = await oidc.token();

    await clock.advance(29_999);
    const tooSoon = detailOf(await call(auth, rotated));
    const askedTooSoon = asked.length;
    await clock.advance(1);
    const known = detailOf(await call(auth, rotated));
    await oidc.rotate();
    const again = [detailOf(await call(auth, await oidc.token())), detailOf(await call(auth, await oidc.token()))];

    expect([tooSoon, askedTooSoon, known]).toEqual(['the issuer has no key that fits the token', 1, 'accepted']);
    expect([again, asked.length]).toEqual([
      ['the issuer has no key that fits the token', 'the issuer has no key that fits the token'],
      2,
    ]);
  });

  it('that were withdrawn no longer count once they were fetched anew', async () => {
    const { auth, clock } = await open();
    const old = await oidc.token({ ttlSeconds: 3_600 });
    const before = detailOf(await call(auth, old));
    await oidc.rotate();

    await clock.advance(10 * 60_000);

    expect([before, detailOf(await call(auth, old))]).toEqual([
      'accepted',
      'the issuer has no key that fits the token',
    ]);
  });

  it.each(['broken', 'down'] as const)(
    'cannot be had while their address is %s: 503, asked again after five seconds',
    async (how) => {
      await oidc.keys(how);
      const { auth, clock, asked, logged } = await open({ jwks_url: `${oidc.issuer}/jwks` });
      const token = await oidc.token({ ttlSeconds: 600 });

      await expect(call(auth, token)).rejects.toMatchObject({ code: 'KIT_NOT_READY' });
      await expect(call(auth, token)).rejects.toMatchObject({ code: 'KIT_NOT_READY' });
      expect(asked).toHaveLength(1);
      await oidc.keys('ok');
      await clock.advance(5_000);

      expect(detailOf(await call(auth, token))).toBe('accepted');
      expect(logged.join('\n')).not.toContain(token);
    },
  );

  it('are given up after five seconds without an answer, for all who wait', async () => {
    await oidc.keys('slow');
    const { auth, clock, asked } = await open({ jwks_url: `${oidc.issuer}/jwks` });
    const token = await oidc.token();
    const waiting = [call(auth, token), call(auth, token)].map((pending) =>
      pending.catch((error: { readonly code: string }) => error.code),
    );
    await expect.poll(() => [asked.length, clock.sleeping]).toEqual([1, 1]);

    await clock.advance(5_000);

    expect(await Promise.all(waiting)).toEqual(['KIT_NOT_READY', 'KIT_NOT_READY']);
  });

  it('hold on while a fetch for an unknown key fails', async () => {
    const { auth, clock } = await open({ jwks_url: `${oidc.issuer}/jwks` });
    const token = await oidc.token({ ttlSeconds: 600 });
    await call(auth, token);
    await oidc.rotate();
    await oidc.keys('broken');
    await clock.advance(30_000);

    const unknown = detailOf(await call(auth, await oidc.token()));

    expect([unknown, detailOf(await call(auth, token))]).toEqual([
      'the issuer has no key that fits the token',
      'accepted',
    ]);
  });

  it('are not asked for by what is not a token', async () => {
    const { auth, asked } = await open();

    await call(auth, 'a-key-and-no-token');

    expect(asked).toEqual([]);
  });
});
