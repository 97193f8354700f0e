import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/auth/src/jwt.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { AuthProvider, AuthVerdict } from '../../../src/domain/ports/http.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { TestClock } from '../../../src/sdk/testing.js';

const ISSUER = 'https://id.example';
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const seconds = Math.floor(NOW / 1000);
const one = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const two = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const CLAIMS: JsonObject = { iss: ISSUER, aud: 'kit', sub: 'alice', exp: seconds + 300, scope: 'serve:read' };

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Claims that are undefined are left out. */
function tokenOf(
  claims: Readonly<Record<string, unknown>> = {},
  header: JsonObject = {},
  key: KeyObject = one.privateKey,
): string {
  const body = `${part({ alg: 'ES256', kid: 'one', ...header })}.${part({ ...CLAIMS, ...claims })}`;
  return `${body}.${sign('sha256', Buffer.from(body), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

const jwk = (key: KeyObject, kid?: string): JsonObject =>
  ({ ...key.export({ format: 'jwk' }), ...(kid === undefined ? {} : { kid }) }) as JsonObject;

interface World {
  readonly auth: AuthProvider;
  readonly asked: readonly string[];
}

/**
 * The provider over an issuer that answers these addresses, path -> JSON; everything else is 404.
 */
async function open(
  config: JsonObject = {},
  documents: Readonly<Record<string, unknown>> = { '/.well-known/jwks.json': { keys: [jwk(one.publicKey, 'one')] } },
): Promise<World> {
  const asked: string[] = [];
  const fetch = async (input: Parameters<typeof globalThis.fetch>[0]): Promise<Response> => {
    const url = String(input);
    asked.push(url);
    const found = documents[new URL(url).pathname];
    return found === undefined
      ? new Response('', { status: 404 })
      : new Response(typeof found === 'string' ? found : JSON.stringify(found));
  };
  const context = { ...createTestContext({}), clock: new TestClock(NOW), fetch: fetch as typeof globalThis.fetch };
  return { auth: await contribution.create({ issuer: ISSUER, ...config }, context), asked };
}

const call = (auth: AuthProvider, token: string): Promise<AuthVerdict> =>
  auth.authenticate({ authorization: `bearer ${token}` });
const detailOf = (verdict: AuthVerdict): string => (verdict.kind === 'refused' ? verdict.detail : 'accepted');

describe('a token', () => {
  it.each([
    ['expired a minute ago', { exp: seconds - 60 }, 'the token has expired'],
    ['expired 59 seconds ago', { exp: seconds - 59 }, 'accepted'],
    ['valid in a minute', { nbf: seconds + 60 }, 'accepted'],
    ['valid in 61 seconds', { nbf: seconds + 61 }, 'the token is not valid yet'],
    ['without an end', { exp: undefined }, 'the token has no claim exp'],
    ['without an issuer', { iss: undefined }, 'the token has no claim iss'],
    ['without an audience', { aud: undefined }, 'the token has no claim aud'],
    ['without a subject', { sub: undefined }, 'the token has no claim sub'],
    ['of an issuer that is spelt with a slash', { iss: `${ISSUER}/` }, 'the token is from another issuer'],
    ['for another audience', { aud: 'kit-2' }, 'the token is for another audience than kit'],
    ['for several audiences', { aud: ['x', 'kit'] }, 'accepted'],
    ['with a blank subject', { sub: '  ' }, 'the token has no claim sub, by which callers are known here'],
    ['with a subject that is a number', { sub: 7 }, 'the token has no claim sub, by which callers are known here'],
    ['with an end that is a text', { exp: 'tomorrow' }, 'the claim exp of the token cannot be accepted'],
  ])('%s is judged', async (_what, claims, detail) => {
    const { auth } = await open();

    expect(detailOf(await call(auth, tokenOf(claims)))).toBe(detail);
  });

  const hmacBody = `${part({ alg: 'HS256', kid: 'one' })}.${part(CLAIMS)}`;
  it.each([
    ['signed by somebody else', tokenOf({}, {}, stranger.privateKey), 'the signature of the token does not fit'],
    [
      'with changed claims',
      tokenOf().replace(/\.[^.]+\./, `.${part({ ...CLAIMS, scope: 'serve:admin' })}.`),
      'the signature of the token does not fit',
    ],
    ['with an unknown key', tokenOf({}, { kid: 'nobody' }), 'the issuer has no key that fits the token'],
    [
      'signed with the public key as a secret',
      `${hmacBody}.${createHmac('sha256', one.publicKey.export({ format: 'pem', type: 'spki' }))
        .update(hmacBody)
        .digest('base64url')}`,
      'the token is signed in a way that is not accepted; accepted are RS256, ES256, PS256, EdDSA, Ed25519',
    ],
    [
      'that is not signed',
      `${part({ alg: 'none' })}.${part(CLAIMS)}.`,
      'the token is signed in a way that is not accepted; accepted are RS256, ES256, PS256, EdDSA, Ed25519',
    ],
    [
      'that asks for an extension',
      tokenOf({}, { crit: ['made-up'], 'made-up': true }),
      'the token is not one that can be read',
    ],
    ['that is encrypted', 'a.b.c.d.e', 'the token is not one that can be read'],
    ['that is nothing', 'a.b.c', 'the token is not one that can be read'],
  ])('%s is refused', async (_what, token, detail) => {
    const { auth } = await open();

    const verdict = await call(auth, token);

    expect(verdict).toEqual({ kind: 'refused', detail, error: 'invalid_token' });
  });

  it('that names no key is tried with each that fits', async () => {
    const { auth } = await open({}, { '/.well-known/jwks.json': { keys: [jwk(two.publicKey), jwk(one.publicKey)] } });

    expect(detailOf(await call(auth, tokenOf({}, { kid: undefined as never })))).toBe('accepted');
    expect(detailOf(await call(auth, tokenOf({}, { kid: undefined as never }, stranger.privateKey)))).toBe(
      'the signature of the token does not fit',
    );
  });
});

describe('the scopes of a token', () => {
  it.each([
    ['a text', 'serve:read serve:run', ['serve:read', 'serve:run']],
    ['a list', ['serve:read', 'serve:admin'], ['serve:read', 'serve:admin']],
    ['a word of a tier', 'admin', ['admin']],
    [
      'reserved ones among others',
      'serve:read audit:read approvals:resolve APPROVALS:RESOLVE approvals:* *',
      ['serve:read'],
    ],
    ['nothing', undefined, []],
    ['something else', { serve: true }, []],
    ['a list with something else', ['serve:read', 7, null], ['serve:read']],
  ])('are read from %s', async (_what, scope, scopes) => {
    const { auth } = await open();

    expect(await call(auth, tokenOf({ scope }))).toMatchObject({ caller: { scopes } });
  });

  it('stand in the claim that the workspace names, beside those of a preset', async () => {
    const { auth } = await open({ scopes_claim: 'roles', base_scopes: ['serve:read', 'iam:modify'] });

    expect(await call(auth, tokenOf({ roles: ['serve:run'], scope: 'serve:admin' }))).toMatchObject({
      caller: { scopes: ['serve:read', 'serve:run'] },
    });
  });
});

describe('the caller of a token', () => {
  it.each([
    [{ name: 'Alice', preferred_username: 'a', email: 'a@x' }, 'Alice'],
    [{ preferred_username: 'a', email: 'a@x' }, 'a'],
    [{ email: 'a@x' }, 'a@x'],
    [{}, 'alice'],
  ])('with %o is called %s', async (claims, clientName) => {
    const { auth } = await open();

    expect(await call(auth, tokenOf(claims))).toMatchObject({ caller: { clientId: 'alice', clientName } });
  });

  it('is not known by an address that nobody verified', async () => {
    const { auth } = await open({ client_id_claim: 'email' });

    for (const claim of [false, 'false', 'TRUE', 0, 1, null, ''])
      expect(detailOf(await call(auth, tokenOf({ email: 'boss@x', email_verified: claim }))), `${claim}`).toBe(
        'the token carries an address that nobody verified',
      );
    for (const claim of [true, 'true', undefined])
      expect((await call(auth, tokenOf({ email: 'boss@x', email_verified: claim }))).kind).toBe('caller');
  });

  it('has the claims that a preset asks for', async () => {
    const { auth } = await open({ required_claims: { hd: 'acme.example' } });

    expect(detailOf(await call(auth, tokenOf({ hd: 'acme.example' })))).toBe('accepted');
    for (const hd of ['evil.example', undefined, ['acme.example']])
      expect(detailOf(await call(auth, tokenOf({ hd })))).toBe(
        'the claim hd of the token is not what this server asks for',
      );
  });
});

describe('the address of the keys', () => {
  const keys = { keys: [jwk(one.publicKey, 'one')] };

  it.each([
    ['what discovery says', { issuer: ISSUER, jwks_uri: 'https://keys.example/k' }, 'https://keys.example/k'],
    [
      'the fixed path when discovery speaks of another issuer',
      { issuer: 'https://other.example', jwks_uri: 'https://keys.example/k' },
      `${ISSUER}/.well-known/jwks.json`,
    ],
    [
      'the fixed path when discovery leads from https to http',
      { issuer: ISSUER, jwks_uri: 'http://keys.example/k' },
      `${ISSUER}/.well-known/jwks.json`,
    ],
    ['the fixed path when discovery says nothing', 'not JSON', `${ISSUER}/.well-known/jwks.json`],
  ])('is %s', async (_what, document, address) => {
    const { auth, asked } = await open(
      {},
      { '/.well-known/openid-configuration': document, '/k': keys, '/.well-known/jwks.json': keys },
    );

    expect(detailOf(await call(auth, tokenOf()))).toBe('accepted');
    expect(asked).toEqual([`${ISSUER}/.well-known/openid-configuration`, address]);
  });

  it('is what the workspace writes, and then nothing else is asked', async () => {
    const { auth, asked } = await open({ jwks_url: 'https://keys.example/k' }, { '/k': keys });

    expect(detailOf(await call(auth, tokenOf()))).toBe('accepted');
    expect(asked).toEqual(['https://keys.example/k']);
  });

  it.each([
    ['no JSON', 'nonsense'],
    ['no set of keys', { keys: 'none' }],
    ['too large', { keys: [], filler: 'x'.repeat(1024 * 1024) }],
  ])('gives no keys when the answer is %s', async (_what, document) => {
    const { auth } = await open({}, { '/.well-known/jwks.json': document });

    await expect(call(auth, tokenOf())).rejects.toMatchObject({ code: 'KIT_NOT_READY' });
  });
});

describe('the provider jwt', () => {
  it('tells browsers what they need and nothing more', async () => {
    const { auth } = await open({ client_id: 'portal', jwks_url: 'https://keys.example/k' });

    expect(auth.info()).toEqual({
      mode: 'jwt',
      oidc: { issuer: ISSUER, audience: 'kit', client_id: 'portal', token: 'access', scope: 'openid profile email' },
    });
    expect((await open()).auth.info()).toEqual({ mode: 'jwt', oidc: { issuer: ISSUER, audience: 'kit' } });
  });

  it('warns of keys in the clear, but for those of this machine', async () => {
    const warningsOf = async (issuer: string): Promise<readonly string[]> => (await open({ issuer })).auth.warnings;

    expect(await warningsOf('http://id.example')).toEqual([expect.stringContaining('over http from id.example')]);
    expect(await warningsOf('http://127.0.0.1:1')).toEqual([]);
    expect(await warningsOf('https://id.example')).toEqual([]);
  });

  it.each([{}, { issuer: '' }, { issuer: 'ftp://x' }, { issuer: 'x' }])('is not made of %o', async (config) => {
    expect(() => contribution.create(config, createTestContext({}))).toThrow(
      expect.objectContaining({ code: 'KIT_AUTH_INVALID' }),
    );
  });
});
