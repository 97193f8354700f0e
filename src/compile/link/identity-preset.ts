import type { JsonObject } from '../../domain/json.js';
import { withoutTrailingSlashes } from '../../lib/show-url.js';
import { textAt } from '../read.js';

/** What an `identity` block means for `server.auth`. */
export type IdentityPreset =
  /**
   * `builtin`: what `server.auth` says and nothing else; `unread` are keys of `config`, which
   * nothing reads then.
   */
  | { readonly kind: 'builtin'; readonly unread: readonly string[] }
  /**
   * Settings for the provider `jwt`; those that `server.auth` writes win, but for the issuer, which
   * has to be the same.
   */
  | { readonly kind: 'jwt'; readonly settings: JsonObject & { readonly issuer: string } }
  /**
   * The block lacks something or holds what nothing reads; a sentence each, with the key that it is
   * about.
   */
  | {
      readonly kind: 'invalid';
      readonly problems: readonly { readonly key: string | null; readonly message: string }[];
    };

/**
 * Keys of every preset but builtin. `tier`: what each token of this issuer may do, where its claims
 * carry no scopes of kit.
 */
const SHARED = [
  'audience',
  'client_id',
  'client_secret_ref',
  'scope',
  'token',
  'scopes_claim',
  'client_id_claim',
  'jwks_url',
  'tier',
] as const;

interface Preset {
  readonly keys: readonly string[];
  readonly required: readonly string[];
  /** Is called with every required key there. */
  readonly settings: (text: (key: string) => string) => JsonObject & { readonly issuer: string };
}

/** `https://tenant.example.com/` and `tenant.example.com` are the same domain. */
const host = (domain: string): string => withoutTrailingSlashes(domain.replace(/^https?:\/\//, ''));

/**
 * Issuers, key addresses and claims as the providers publish them. Client ids stay what nobody can
 * rename: `sub`, and `oid` where `sub` differs for each application; `client_id_claim` chooses
 * another.
 */
const PRESETS: Readonly<Record<string, Preset>> = {
  oidc: { keys: ['issuer'], required: ['issuer'], settings: (text) => ({ issuer: text('issuer') }) },
  auth0: {
    keys: ['domain'],
    required: ['domain', 'audience'],
    settings: (text) => ({
      issuer: `https://${host(text('domain'))}/`,
      jwks_url: `https://${host(text('domain'))}/.well-known/jwks.json`,
    }),
  },
  okta: {
    keys: ['domain', 'authorization_server'],
    required: ['domain'],
    settings: (text) => {
      const issuer = `https://${host(text('domain'))}/oauth2/${text('authorization_server') || 'default'}`;
      return { issuer, jwks_url: `${issuer}/v1/keys`, audience: 'api://default', scopes_claim: 'scp' };
    },
  },
  google: {
    keys: ['hosted_domain'],
    required: ['client_id'],
    settings: (text) => ({
      issuer: 'https://accounts.google.com',
      jwks_url: 'https://www.googleapis.com/oauth2/v3/certs',
      audience: text('client_id'),
      ...(text('hosted_domain') === '' ? {} : { required_claims: { hd: text('hosted_domain') } }),
    }),
  },
  'azure-ad': {
    keys: ['tenant'],
    required: ['tenant', 'client_id'],
    settings: (text) => ({
      issuer: `https://login.microsoftonline.com/${text('tenant')}/v2.0`,
      jwks_url: `https://login.microsoftonline.com/${text('tenant')}/discovery/v2.0/keys`,
      audience: text('client_id'),
      scopes_claim: 'roles',
      client_id_claim: 'oid',
    }),
  },
};

const TIERS = ['read', 'run', 'admin'];
/**
 * Tokens of these endpoints name the tenant of the person, so that no one issuer could be checked.
 */
const TENANTS_OF_ANYBODY = ['common', 'organizations', 'consumers'];

function problemsOf(
  provider: string,
  preset: Preset,
  config: JsonObject,
): readonly { readonly key: string | null; readonly message: string }[] {
  const known: readonly string[] = [...preset.keys, ...SHARED];
  const unknown = Object.keys(config).filter((key) => !known.includes(key));
  const tier = textAt(config, 'tier');
  const tenant = textAt(config, 'tenant') ?? '';
  return [
    ...preset.required
      .filter((key) => (textAt(config, key) ?? '').trim() === '')
      .map((key) => ({ key: null, message: `the preset \`${provider}\` needs \`config.${key}\`` })),
    ...unknown.map((key) => ({
      key,
      message: `the preset \`${provider}\` reads no \`${key}\`; it reads ${known.join(', ')}`,
    })),
    ...known
      .filter((key) => config[key] !== undefined && (textAt(config, key) ?? '').trim() === '')
      .filter((key) => !preset.required.includes(key))
      .map((key) => ({ key, message: `\`${key}\` of the preset \`${provider}\` must be a text that is not empty` })),
    ...(tier === null || TIERS.includes(tier)
      ? []
      : [{ key: 'tier', message: `there is no tier \`${tier}\`; there are ${TIERS.join(', ')}` }]),
    ...(provider === 'azure-ad' && TENANTS_OF_ANYBODY.includes(tenant)
      ? [{ key: 'tenant', message: `the tenant \`${tenant}\` stands for many; name the id of one` }]
      : []),
    ...(provider === 'google' && tier !== null && (textAt(config, 'hosted_domain') ?? '') === ''
      ? [{ key: 'tier', message: 'every account of Google would get the tier; name your `hosted_domain` as well' }]
      : []),
  ];
}

/**
 * What the `identity` block of a workspace gives the provider `jwt`. `${VAR}` in it passes through
 * as it is.
 */
export function identityPreset(identity: { readonly provider: string; readonly config: JsonObject }): IdentityPreset {
  const { provider, config } = identity;
  if (provider === 'builtin') return { kind: 'builtin', unread: Object.keys(config) };
  const preset = Object.hasOwn(PRESETS, provider) ? PRESETS[provider] : undefined;
  if (preset === undefined)
    return { kind: 'invalid', problems: [{ key: null, message: `there is no identity provider \`${provider}\`` }] };
  const problems = problemsOf(provider, preset, config);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const own = Object.fromEntries(
    SHARED.flatMap((key) => (config[key] === undefined ? [] : [[key, config[key]] as const])),
  );
  return { kind: 'jwt', settings: { ...preset.settings((key) => textAt(config, key)?.trim() ?? ''), ...own } };
}

/**
 * Issuers are compared as tokens are: letter by letter. Text that still holds `${VAR}` cannot be
 * compared yet.
 */
export const namesAnotherIssuer = (written: string | null, preset: string): boolean =>
  written !== null && written !== preset && !`${written}${preset}`.includes('${');
