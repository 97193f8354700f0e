import { expect, it } from 'vitest';
import { assertVaultKey } from '../../../src/app/storage/assert-vault-key.js';
import { NO_STORAGE } from '../../../src/app/storage/read-storage.js';
import type { OauthKeyState } from '../../../src/domain/oauth-key.js';
import { interpolateText } from '../../../src/lib/interpolate-text.js';

const resolve = (text: string) => interpolateText(text, () => undefined);

function refusal(source: string, backend: 'sqlite' | 'postgres', key: OauthKeyState): string | null {
  const credentials = new Map([['tracker', { source, config: {}, providerId: null }]]);
  const storeUrl = backend === 'postgres' ? 'postgres://db.example/runs' : null;
  const environment = { storeUrl, databaseUrl: null, storeBackend: null, resolve };
  try {
    assertVaultKey({ credentials, storage: NO_STORAGE }, { environment, key });
    return null;
  } catch (error) {
    expect(error).toMatchObject({
      code: 'KIT_VAULT_KEY',
      exitCode: 2,
      hint: expect.stringContaining('KIT_OAUTH_KEY='),
    });
    return (error as Error).message;
  }
}

it.each([
  ['oauth', 'sqlite', 'malformed', 'the credential tracker needs KIT_OAUTH_KEY, which is no key'],
  ['oauth', 'postgres', 'malformed', 'which is no key'],
  ['oauth', 'postgres', 'unset', 'which is not set'],
] as const)('refuses a credential of %s on %s where the key is %s', (source, backend, key, message) => {
  expect(refusal(source, backend, key)).toContain(message);
});

it.each([
  ['oauth', 'sqlite', 'unset'],
  ['oauth', 'postgres', 'set'],
  ['env', 'postgres', 'unset'],
  ['env', 'sqlite', 'malformed'],
] as const)('takes a credential of %s on %s where the key is %s', (source, backend, key) => {
  expect(refusal(source, backend, key)).toBeNull();
});
