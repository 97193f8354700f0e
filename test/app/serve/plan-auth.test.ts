import { describe, expect, it } from 'vitest';
import { type AuthPlan, planAuth } from '../../../src/app/serve/auth/plan-auth.js';
import { KitError } from '../../../src/domain/errors.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { sha256Hex } from '../../../src/lib/sha256.js';

const SECRETS: Readonly<Record<string, string>> = {
  'env:CI_TOKEN': 'the-secret-of-the-build-machine',
  'env:SHORT': 'short',
  'credentials:ops': 'the-secret-of-operations',
};
const VALUES: Readonly<Record<string, string>> = {
  ISSUER: 'https://id.example',
  DOMAIN: 'acme.example',
  WHO: 'operator',
};

const unresolved = (message: string): KitError => new KitError('KIT_CREDENTIAL_UNRESOLVED', message);

interface Given {
  readonly provider?: string;
  readonly config?: JsonObject;
  readonly identity?: { readonly provider: string; readonly config: JsonObject } | null;
  readonly humanScopes?: readonly string[];
}

function plan({ provider = 'none', config = {}, identity = null, humanScopes = [] }: Given): Promise<AuthPlan> {
  const server = { auth: { provider, config, requireOnNonloopback: true } };
  return planAuth({ server, identity, humanScopes: new Set(humanScopes) } as never, {
    known: ['none', 'api_key', 'jwt', 'acme'],
    secret: async (reference) => {
      const value = SECRETS[reference];
      if (value === undefined) throw unresolved(`nothing is behind ${reference}`);
      return value;
    },
    render: async (text) =>
      text.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => {
        const value = VALUES[name];
        if (value === undefined) throw unresolved(`nothing defines ${name}`);
        return value;
      }),
  });
}

async function refusalOf(given: Given): Promise<KitError> {
  const error = await plan(given).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof KitError)) throw new Error(`it was not refused: ${String(error)}`);
  return error;
}
const problemsOf = async (given: Given): Promise<readonly { readonly at: string; readonly message: string }[]> =>
  // what planAuth puts there
  (await refusalOf(given)).data.problems as readonly { readonly at: string; readonly message: string }[];

const key = (over: JsonObject = {}): JsonObject => ({ key_ref: 'env:CI_TOKEN', client_id: 'ci', tier: 'run', ...over });

describe('the plan of an auth provider', () => {
  it('holds digests of keys and no secret', async () => {
    const planned = await plan({
      provider: 'api_key',
      config: {
        keys: [
          key(),
          key({ key_ref: 'credentials:ops', client_id: 'ops', scopes: ['serve:read'], tier: undefined as never }),
        ],
      },
    });

    expect(planned).toEqual({
      name: 'api_key',
      config: {
        keys: [
          {
            sha256: sha256Hex('the-secret-of-the-build-machine'),
            client_id: 'ci',
            client_name: 'ci',
            scopes: ['serve:read', 'serve:run'],
          },
          {
            sha256: sha256Hex('the-secret-of-operations'),
            client_id: 'ops',
            client_name: 'ops',
            scopes: ['serve:read'],
          },
        ],
      },
      warnings: [],
    });
  });

  it('replaces variables in the settings of jwt and none, and takes only what the provider reads', async () => {
    expect((await plan({ config: { identity: '${WHO}', issuer: 'https://unread.example' } })).config).toEqual({
      identity: 'operator',
    });
    expect((await plan({ provider: 'jwt', config: { issuer: '${ISSUER}', identity: 'unread' } })).config).toEqual({
      issuer: 'https://id.example',
    });
  });

  it('hands everything to the provider of a plugin', async () => {
    expect(
      await plan({
        provider: 'acme',
        config: { url: '${ISSUER}/introspect', deep: { list: ['${WHO}', 1, true, null] } },
      }),
    ).toEqual({
      name: 'acme',
      config: { url: 'https://id.example/introspect', deep: { list: ['operator', 1, true, null] } },
      warnings: [],
    });
  });

  it('takes from a preset what server.auth does not say', async () => {
    const identity = { provider: 'auth0', config: { domain: '${DOMAIN}', audience: 'kit', tier: 'read' } };

    expect((await plan({ provider: 'jwt', identity, config: { audience: 'mine' } })).config).toEqual({
      issuer: 'https://acme.example/',
      jwks_url: 'https://acme.example/.well-known/jwks.json',
      audience: 'mine',
      base_scopes: ['serve:read'],
    });
  });

  it('warns of one key that does not resolve and of one that is short', async () => {
    const { config, warnings } = await plan({
      provider: 'api_key',
      config: { keys: [key({ key_ref: 'env:SHORT' }), key({ key_ref: 'env:GONE', client_id: 'gone' })] },
    });

    expect(config.keys).toHaveLength(1);
    expect(warnings).toEqual([
      expect.stringContaining('a secret of 5 characters'),
      'the key of "gone" is without effect: nothing is behind env:GONE',
    ]);
  });
});

describe('a server does not start with', () => {
  it.each<[string, Given, string, string]>([
    [
      'a provider that nobody brings',
      { provider: 'api-key' },
      '/server/auth/provider',
      'there is no auth provider "api-key". Did you mean api_key?',
    ],
    ['jwt without an issuer', { provider: 'jwt' }, '/server/auth/config/issuer', 'the provider jwt names no issuer'],
    [
      'an issuer that is not an address',
      { provider: 'jwt', config: { issuer: 'id.example' } },
      '/server/auth/config/issuer',
      'the issuer is not an address',
    ],
    [
      'an issuer with a password',
      { provider: 'jwt', config: { issuer: 'https://a:b@id.example' } },
      '/server/auth/config/issuer',
      'the issuer holds a name or a password',
    ],
    [
      'keys at a file',
      { provider: 'jwt', config: { issuer: 'https://a.example', jwks_url: 'file:///etc/keys' } },
      '/server/auth/config/jwks_url',
      'jwks_url is not an address of the web',
    ],
    ['an empty identity', { config: { identity: ' ' } }, '/server/auth/config/identity', 'identity is empty'],
    [
      'a variable that nothing defines',
      { provider: 'jwt', config: { issuer: '${GONE}' } },
      '/server/auth/config/issuer',
      'nothing defines GONE',
    ],
    ['no keys', { provider: 'api_key' }, '/server/auth/config/keys', 'the provider api_key has no keys'],
    [
      'no key that resolves',
      { provider: 'api_key', config: { keys: [key({ key_ref: 'env:GONE' })] } },
      '/server/auth/config/keys',
      'the key of "ci" is without effect: nothing is behind env:GONE',
    ],
    [
      'a preset beside another provider',
      {
        provider: 'api_key',
        config: { keys: [key()] },
        identity: { provider: 'okta', config: { domain: 'a.example' } },
      },
      '/identity',
      'the preset okta of `identity` has no effect: server.auth.provider is api_key, not jwt',
    ],
    [
      'a preset whose issuer turns out to be another one',
      {
        provider: 'jwt',
        config: { issuer: '${ISSUER}' },
        identity: { provider: 'auth0', config: { domain: '${DOMAIN}', audience: 'kit' } },
      },
      '/identity',
      'the preset auth0 of `identity` has no effect: its issuer is https://acme.example/, and server.auth names another',
    ],
    [
      'a preset without its settings',
      { provider: 'jwt', identity: { provider: 'auth0', config: { audience: 'kit' } } },
      '/identity',
      'the preset `auth0` needs `config.domain`',
    ],
    [
      'a key for a scope that a role confers',
      {
        provider: 'api_key',
        config: { keys: [key({ tier: undefined as never, scopes: ['release:approve'] })] },
        humanScopes: ['release:approve'],
      },
      '/server/auth/config/keys/0/scopes',
      'the key of "ci" would carry release:approve, which no key can: it belongs to people',
    ],
  ])('%s', async (_what, given, at, message) => {
    expect(await problemsOf(given)).toContainEqual({ at, message });
  });

  it.each(['the-literal-secret-of-somebody', 'env:', 'env:NOT A NAME', 'vault:x', ''])(
    'a key that is written as "%s", which is not repeated',
    async (reference) => {
      const error = await refusalOf({ provider: 'api_key', config: { keys: [key({ key_ref: reference })] } });

      expect(error.message).toContain('is not given by reference');
      if (reference.length > 4) expect(error.message + JSON.stringify(error.data)).not.toContain(reference);
    },
  );

  it('several mistakes without telling all of them, each with its place', async () => {
    const error = await refusalOf({
      provider: 'api_key',
      config: {
        keys: [
          key({ tier: 'root' }),
          key({ key_ref: 'literal', client_id: 'b', scopes: ['*'] }),
          key({ client_id: 'c' }),
        ],
      },
      identity: { provider: 'okta', config: { domain: 'a.example' } },
    });

    expect([error.code, error.exitCode]).toEqual(['KIT_AUTH_INVALID', 2]);
    expect(error.message.split('\n').map((line) => line.trim().slice(0, 2))).toEqual([
      'se',
      '1.',
      '2.',
      '3.',
      '4.',
      '5.',
    ]);
    expect(error.message).toContain('(server.auth.config.keys.0.tier)');
    expect(error.message).not.toContain(SECRETS['env:CI_TOKEN']);
  });
});
