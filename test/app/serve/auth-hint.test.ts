import { expect, it } from 'vitest';
import { planAuth } from '../../../src/app/serve/auth/plan-auth.js';
import { isKitError, KitError } from '../../../src/domain/errors.js';
import type { JsonObject } from '../../../src/domain/json.js';

/** The hint of the refusal where no variable of the environment is set. */
async function hintOf(provider: string, config: JsonObject): Promise<string | undefined> {
  const unset = (name: string): never => {
    throw new KitError('KIT_CREDENTIAL_UNRESOLVED', `the environment variable ${name} is not set`, {
      hint: `Set ${name}.`,
    });
  };
  const server = { auth: { provider, config, requireOnNonloopback: true } };
  const refusal: unknown = await planAuth({ server, identity: null, humanScopes: new Set() } as never, {
    known: ['none', 'api_key', 'jwt'],
    secret: async (reference) => unset(reference.slice('env:'.length)),
    render: async (text) => (text.startsWith('${') ? unset(text.slice(2, -1)) : text),
  }).catch((error: unknown) => error);
  return isKitError(refusal) && refusal.code === 'KIT_AUTH_INVALID' ? refusal.hint : 'no refusal';
}

const key = (over: JsonObject): JsonObject => ({ client_id: 'ci', tier: 'run', ...over });

it('names the variables that are not set, and workspace.yaml only where that is wrong as well', async () => {
  const keys = [key({ key_ref: 'env:A_TOKEN' }), key({ key_ref: 'env:B_TOKEN', client_id: 'b' })];
  const file = 'Correct server.auth in workspace.yaml.';

  expect(await hintOf('api_key', { keys })).toBe('Set A_TOKEN. Set B_TOKEN.');
  expect(await hintOf('api_key', { keys: [key({ key_ref: 'env:A_TOKEN', tier: 'no' })] })).toBe(`Set A_TOKEN. ${file}`);
  expect(await hintOf('api_key', { keys: [] })).toBe(file);
  const jwt = { issuer: 'https://id.example', client_id: 'kit', client_secret_ref: 'env:CLIENT_SECRET' };
  expect(await hintOf('jwt', jwt)).toBe('Set CLIENT_SECRET.');
  expect(await hintOf('jwt', { issuer: '${ISSUER}' })).toContain('Set ISSUER.');
});
