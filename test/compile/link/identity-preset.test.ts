import { describe, expect, it } from 'vitest';
import { identityPreset, namesAnotherIssuer } from '../../../src/compile/link/identity-preset.js';
import type { JsonObject } from '../../../src/domain/json.js';

const settingsOf = (provider: string, config: JsonObject): JsonObject => {
  const preset = identityPreset({ provider, config });
  if (preset.kind !== 'jwt') throw new Error(JSON.stringify(preset));
  return preset.settings;
};
const problemsOf = (provider: string, config: JsonObject): readonly string[] => {
  const preset = identityPreset({ provider, config });
  return preset.kind === 'invalid' ? preset.problems.map(({ key, message }) => `${key ?? '-'}: ${message}`) : [];
};

describe('a preset of identity', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['oidc', { issuer: 'https://id.example' }, { issuer: 'https://id.example' }],
    [
      'auth0',
      { domain: 'https://acme.eu.auth0.com/', audience: 'https://kit.acme.example' },
      {
        issuer: 'https://acme.eu.auth0.com/',
        jwks_url: 'https://acme.eu.auth0.com/.well-known/jwks.json',
        audience: 'https://kit.acme.example',
      },
    ],
    [
      'okta',
      { domain: 'acme.okta.com' },
      {
        issuer: 'https://acme.okta.com/oauth2/default',
        jwks_url: 'https://acme.okta.com/oauth2/default/v1/keys',
        audience: 'api://default',
        scopes_claim: 'scp',
      },
    ],
    [
      'okta',
      { domain: 'acme.okta.com', authorization_server: 'aus1', audience: 'kit', scopes_claim: 'groups' },
      {
        issuer: 'https://acme.okta.com/oauth2/aus1',
        jwks_url: 'https://acme.okta.com/oauth2/aus1/v1/keys',
        audience: 'kit',
        scopes_claim: 'groups',
      },
    ],
    [
      'google',
      { client_id: 'kit.apps.example', hosted_domain: 'acme.example', tier: 'read', client_id_claim: 'email' },
      {
        issuer: 'https://accounts.google.com',
        jwks_url: 'https://www.googleapis.com/oauth2/v3/certs',
        audience: 'kit.apps.example',
        client_id: 'kit.apps.example',
        required_claims: { hd: 'acme.example' },
        tier: 'read',
        client_id_claim: 'email',
      },
    ],
    [
      'azure-ad',
      { tenant: '7f3a', client_id: 'c0ffee' },
      {
        issuer: 'https://login.microsoftonline.com/7f3a/v2.0',
        jwks_url: 'https://login.microsoftonline.com/7f3a/discovery/v2.0/keys',
        audience: 'c0ffee',
        client_id: 'c0ffee',
        scopes_claim: 'roles',
        client_id_claim: 'oid',
      },
    ],
  ])('%s makes of %o the settings of jwt', (provider, config, settings) => {
    expect(settingsOf(provider, config)).toEqual(settings);
  });

  it('builtin is what server.auth says, and its own keys are read by nobody', () => {
    expect(identityPreset({ provider: 'builtin', config: { session_hours: 8 } })).toEqual({
      kind: 'builtin',
      unread: ['session_hours'],
    });
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['oidc', {}, ['-: the preset `oidc` needs `config.issuer`']],
    [
      'auth0',
      { domain: ' ' },
      ['-: the preset `auth0` needs `config.domain`', '-: the preset `auth0` needs `config.audience`'],
    ],
    [
      'okta',
      { domain: 'a.example', audience: 7 },
      ['audience: `audience` of the preset `okta` must be a text that is not empty'],
    ],
    ['okta', { domain: 'a.example', tier: 'root' }, ['tier: there is no tier `root`; there are read, run, admin']],
    [
      'azure-ad',
      { tenant: 'common', client_id: 'c' },
      ['tenant: the tenant `common` stands for many; name the id of one'],
    ],
    [
      'google',
      { client_id: 'c', tier: 'read' },
      ['tier: every account of Google would get the tier; name your `hosted_domain` as well'],
    ],
    ['constructor', {}, ['-: there is no identity provider `constructor`']],
  ])('%s with %o is refused', (provider, config, problems) => {
    expect(problemsOf(provider, config)).toEqual(problems);
  });

  it.each([
    [null, false],
    ['https://a.example', false],
    ['https://a.example/', true],
    ['${ISSUER}', false],
  ])('beside the issuer %s: another one is %s', (written, isAnother) => {
    expect(namesAnotherIssuer(written, 'https://a.example')).toBe(isAnother);
  });
});
