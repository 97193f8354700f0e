import type { RunProof } from './proof.js';

export const AUTH_ENV = { KEY_A: 'the-first-key-of-the-proofs', KEY_B: 'the-second-key-of-the-proofs' } as const;

const AUTH = 'Workspace.server.auth';
const KEYS = `${AUTH}.config.keys.*`;

/** What proves the keys of `server.auth` and `identity`, each with issuers below this address. */
export function authProofs(base: string): readonly RunProof[] {
  const jwt = { [AUTH]: { provider: 'jwt', config: { issuer: `${base}/a` } } };
  const oneKey = {
    [AUTH]: { provider: 'api_key', config: { keys: [{ key_ref: 'env:KEY_A', client_id: 'ci', tier: 'read' }] } },
  };
  const preset = (tier: string) => ({ issuer: `${base}/a`, tier });
  const settings = (at: string): readonly RunProof[] => [
    { key: `${at}.issuer`, a: `${base}/a`, b: `${base}/b`, given: { [AUTH]: { provider: 'jwt' } } },
    { key: `${at}.audience`, a: 'kit', b: 'other', given: jwt },
    { key: `${at}.jwks_url`, a: `${base}/a/.well-known/jwks.json`, b: `${base}/a/others`, given: jwt },
    { key: `${at}.scopes_claim`, a: 'scope', b: 'roles', given: jwt },
    { key: `${at}.client_id_claim`, a: 'sub', b: 'email', given: jwt },
    { key: `${at}.client_id`, a: 'portal', b: 'other', given: jwt },
    {
      key: `${at}.scope`,
      a: 'openid',
      b: 'openid email',
      given: { [AUTH]: { provider: 'jwt', config: { issuer: `${base}/a`, client_id: 'portal' } } },
    },
    { key: `${at}.identity`, a: 'operator', b: 'other' },
    { key: `${at}.identity_name`, a: 'The operator', b: 'Somebody' },
  ];
  return [
    { key: `${AUTH}.provider`, a: 'none', b: 'api_key', given: oneKey },
    { key: `${AUTH}.require_on_nonloopback`, a: true, b: false },
    { key: `${AUTH}.config`, a: { identity: 'operator' }, b: { identity: 'other' } },
    ...settings(AUTH),
    ...settings(`${AUTH}.config`),
    {
      key: `${AUTH}.config.client_secret_ref`,
      a: 'env:KEY_A',
      b: 'env:KEY_B',
      given: { [AUTH]: { provider: 'jwt', config: { issuer: `${base}/a`, client_id: 'portal' } } },
    },
    {
      key: `${AUTH}.config.token`,
      a: 'access',
      b: 'id',
      given: { [AUTH]: { provider: 'jwt', config: { issuer: `${base}/a`, client_id: 'portal' } } },
    },
    { key: `${KEYS}.key_ref`, a: 'env:KEY_A', b: 'env:KEY_B', given: oneKey },
    { key: `${KEYS}.client_id`, a: 'ci', b: 'other', given: oneKey },
    { key: `${KEYS}.client_name`, a: 'Build machine', b: 'Another machine', given: oneKey },
    { key: `${KEYS}.tier`, a: 'read', b: 'run', given: oneKey },
    {
      key: `${KEYS}.scopes`,
      a: ['serve:read'],
      b: ['serve:run'],
      given: { [AUTH]: { provider: 'api_key', config: { keys: [{ key_ref: 'env:KEY_A', client_id: 'ci' }] } } },
    },
    {
      key: 'Workspace.identity.provider',
      a: 'oidc',
      b: 'builtin',
      given: { ...jwt, 'Workspace.identity': { config: preset('run') } },
    },
    {
      key: 'Workspace.identity.config',
      a: preset('read'),
      b: preset('run'),
      given: { [AUTH]: { provider: 'jwt' }, 'Workspace.identity': { provider: 'oidc' } },
    },
  ];
}

/** The keys that are proven, wherever the issuers are. */
export const AUTH_PROOFS: readonly RunProof[] = authProofs('http://127.0.0.1:1');
