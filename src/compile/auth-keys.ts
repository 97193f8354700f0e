/**
 * Settings of `server.auth.config` that may also stand directly under `server.auth`, as the
 * interface shows them.
 */
export const DIRECT_AUTH_KEYS = [
  'issuer',
  'audience',
  'jwks_url',
  'scopes_claim',
  'client_id_claim',
  'client_id',
  'scope',
  'identity',
  'identity_name',
] as const;

/** Settings of `server.auth.config` for signing in through a browser (docs/auth.md#sign-in). */
export const SIGN_IN_KEYS = ['client_secret_ref', 'token'] as const;
