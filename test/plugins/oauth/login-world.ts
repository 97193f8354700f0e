import { contribution } from '../../../plugins/oauth/src/oauth.js';
import type { CredentialLogins, CredentialSource } from '../../../src/domain/ports/credential-source.js';
import type { Vault } from '../../../src/domain/ports/vault.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { createGuardedFetch } from '../../../src/system/guarded-fetch/guarded-fetch.js';
import { memoryVaults } from '../../../src/testing/memory-rows.js';
import { browse } from '../../support/components/browse-login.mjs';

export const REDIRECT = 'http://127.0.0.1:1/callback';

/** The real plugin over a vault in memory (or this one), with a clock that the test moves. */
export function loginWorld(given: Vault | null = null) {
  let shiftMs = 0;
  const now = (): number => Date.now() + shiftMs;
  const warnings: string[] = [];
  const write = (message: string): void => void warnings.push(message);
  const vaults = memoryVaults({ now });
  const vaultOf = (space: string): Vault => given ?? vaults(space);
  const open = async (): Promise<CredentialSource & { readonly logins: CredentialLogins }> => {
    const context = createTestContext({
      clock: { now, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))) },
      log: { debug: () => {}, info: () => {}, warn: write, error: write },
      outbound: createGuardedFetch({ rules: () => ({ isLocal: true, allow: [] }) }),
      vault: vaultOf('oauth'),
    });
    return (await contribution.create({}, context)) as CredentialSource & { readonly logins: CredentialLogins };
  };
  return {
    open,
    vault: vaultOf('oauth'),
    warnings,
    pass: (ms: number): void => {
      shiftMs += ms;
    },
  };
}

export const askOf = (endpoint: string, over: object = {}) => ({
  credential: 'notes',
  owner: 'ada',
  endpoint,
  scopes: null,
  clientId: null,
  clientSecret: null,
  redirectUri: REDIRECT,
  clientMetadataUrl: null,
  binding: 'the browser of ada',
  ...over,
});

/** A whole login, with a fetch in the browser's place. */
export async function logIn(logins: CredentialLogins, endpoint: string, over: object = {}) {
  const begun = await logins.begin(askOf(endpoint, over));
  const query = new URL(await browse(begun.authorizationUrl)).search.slice(1);
  return { query, login: await logins.finish({ query, binding: 'the browser of ada' }) };
}
