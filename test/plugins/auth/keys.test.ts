import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { contribution as apiKey } from '../../../plugins/auth/src/api-key.js';
import { contribution as none } from '../../../plugins/auth/src/none.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { AuthProvider } from '../../../src/domain/ports/http.js';
import { createTestContext } from '../../../src/domain/testing.js';

const compared = vi.hoisted(() => ({ count: 0 }));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return {
    ...crypto,
    timingSafeEqual: (a: Buffer, b: Buffer) => {
      compared.count += 1;
      return crypto.timingSafeEqual(a, b);
    },
  };
});
beforeEach(() => {
  compared.count = 0;
});

const SECRETS = ['first-secret-of-the-test', 'second-secret-of-the-test', 'third-secret-of-the-test'];
const CONFIG: JsonObject = {
  keys: SECRETS.map((secret, index) => ({
    sha256: hash('sha256', secret, 'hex'),
    client_id: `client-${index + 1}`,
    client_name: `Client ${index + 1}`,
    scopes: ['serve:read'],
  })),
};
const open = async (config: JsonObject = CONFIG): Promise<AuthProvider> => apiKey.create(config, createTestContext({}));

describe('the provider api_key', () => {
  it.each(SECRETS.map((secret, index) => [secret, index + 1] as const))(
    'knows the caller of %s',
    async (secret, number) => {
      expect(await (await open()).authenticate({ authorization: `Bearer ${secret}` })).toEqual({
        kind: 'caller',
        caller: {
          clientId: `client-${number}`,
          clientName: `Client ${number}`,
          provider: 'api_key',
          scopes: ['serve:read'],
          assurance: 'authenticated',
        },
      });
    },
  );

  it.each([...SECRETS, 'nobody-has-this', 'x'])('compares every key in constant time for %s', async (secret) => {
    await (await open()).authenticate({ authorization: `Bearer ${secret}` });

    expect(compared.count).toBe(SECRETS.length);
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR  '])('takes the scheme as %s', async (scheme) => {
    expect((await (await open()).authenticate({ authorization: `${scheme} ${SECRETS[0]}` })).kind).toBe('caller');
  });

  it.each([
    [undefined, null, 'the request carries no credential'],
    ['', null, 'the request carries no credential'],
    ['Bearer', 'invalid_request', 'the Authorization header is not of the form Bearer <token>'],
    [SECRETS[0], 'invalid_request', 'the Authorization header is not of the form Bearer <token>'],
    [`Basic ${SECRETS[0]}`, 'invalid_request', 'the Authorization header is not of the form Bearer <token>'],
    [
      `Bearer ${SECRETS[0]} ${SECRETS[1]}`,
      'invalid_request',
      'the Authorization header is not of the form Bearer <token>',
    ],
    [`Bearer${SECRETS[0]}`, 'invalid_request', 'the Authorization header is not of the form Bearer <token>'],
    [`Bearer ${SECRETS[0]?.toUpperCase()}`, 'invalid_token', 'the key is not known'],
    [`Bearer ${SECRETS[0]}x`, 'invalid_token', 'the key is not known'],
  ])('refuses the header %s', async (authorization, error, detail) => {
    expect(await (await open()).authenticate({ authorization })).toEqual({ kind: 'refused', error, detail });
  });

  it('names its callers beforehand, each once', async () => {
    const config = { keys: [...(CONFIG.keys as readonly JsonObject[]), ...(CONFIG.keys as readonly JsonObject[])] };

    expect((await open(config)).identities).toEqual(['client-1', 'client-2', 'client-3']);
  });

  it.each([{ client_id: 'a', scopes: [] }, { sha256: 'short', client_id: 'a', scopes: [] }, 'a secret'])(
    'is not made of an entry %o',
    async (entry) => {
      await expect(open({ keys: [entry] })).rejects.toMatchObject({ code: 'KIT_AUTH_INVALID' });
    },
  );
});

describe('the provider none', () => {
  it.each([
    [{}, 'anonymous', 'Anonymous'],
    [{ identity: 'operator' }, 'operator', 'operator'],
    [{ identity: 'operator', identity_name: 'The operator' }, 'operator', 'The operator'],
    [{ identity_name: 'Somebody' }, 'anonymous', 'Somebody'],
  ])('with %o lets everybody in as %s', async (config, clientId, clientName) => {
    const auth = await none.create(config, createTestContext({}));

    for (const authorization of [undefined, 'Bearer anything', 'nonsense'])
      expect(await auth.authenticate({ authorization })).toEqual({
        kind: 'caller',
        caller: { clientId, clientName, provider: 'none', scopes: ['*'], assurance: 'asserted' },
      });
    expect(auth.identities).toEqual([clientId]);
  });
});
