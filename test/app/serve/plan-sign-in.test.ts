import { expect, it } from 'vitest';
import { planAuth } from '../../../src/app/serve/auth/plan-auth.js';
import { KitError } from '../../../src/domain/errors.js';
import type { JsonObject } from '../../../src/domain/json.js';

const SECRET = 'the-secret-of-the-client';

const plan = (config: JsonObject) =>
  planAuth(
    {
      server: { auth: { provider: 'jwt', config: { issuer: 'https://id.example', ...config } } },
      identity: null,
      humanScopes: new Set(),
    } as never,
    {
      known: ['jwt'],
      secret: async (reference) => {
        if (reference === 'env:CLIENT') return SECRET;
        throw new KitError('KIT_CREDENTIAL_UNRESOLVED', `nothing is behind ${reference}`);
      },
      render: async (text) => text,
    },
  );

it('reads the secret of the client by its reference', async () => {
  expect((await plan({ client_id: 'kit', client_secret_ref: 'env:CLIENT', token: 'id' })).config).toEqual({
    issuer: 'https://id.example',
    client_id: 'kit',
    client_secret: SECRET,
    token: 'id',
  });
});

it.each([
  [{ client_id: 'kit', client_secret_ref: 'env:GONE' }, 'client_secret_ref', 'nothing is behind env:GONE'],
  [{ client_id: 'kit', client_secret_ref: SECRET }, 'client_secret_ref', 'is not a reference'],
  [{ client_secret_ref: 'env:CLIENT' }, 'client_secret_ref', 'has no effect without client_id'],
  [{ token: 'id' }, 'token', 'has no effect without client_id'],
])('refuses %j at its key, and says no secret', async (config, key, why) => {
  const refusal = await plan(config).catch((error: unknown) => error);

  expect(refusal).toMatchObject({
    code: 'KIT_AUTH_INVALID',
    data: { problems: [{ at: `/server/auth/config/${key}`, message: expect.stringContaining(why) }] },
  });
  expect(String(refusal)).not.toContain(SECRET);
});
