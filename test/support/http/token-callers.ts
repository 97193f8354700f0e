import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { contribution as jwt } from '../../../plugins/auth/src/jwt.js';
import { guardAuth } from '../../../src/app/serve/auth/guard-auth.js';
import type { AuthProvider } from '../../../src/domain/ports/http.js';
import { createTestContext } from '../../../src/domain/testing.js';

const ISSUER = 'https://id.example';
const AUDIENCE = 'kit';

/** Kinds of callers of the matrix. */
export type CallerKind = 'none' | 'read' | 'run' | 'admin' | 'reserved' | 'wrong audience' | 'expired';

/** The provider `jwt` as a server guards it, with a token for each kind of caller. */
export interface TokenCallers {
  readonly auth: AuthProvider;
  readonly headers: Readonly<Record<CallerKind, Readonly<Record<string, string>>>>;
}

export async function tokenCallers(): Promise<TokenCallers> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] });
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const clock = { now: () => Date.now(), sleep: async () => {} };
  const context = createTestContext({
    clock,
    fetch: async () => new Response(keys, { headers: { 'content-type': 'application/json' } }),
  });
  const provider = await jwt.create({ issuer: ISSUER, audience: AUDIENCE, jwks_url: `${ISSUER}/keys` }, context);
  const header = async (scope: string, over: { readonly audience?: string; readonly expires?: string } = {}) => {
    const token = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setSubject('caller')
      .setIssuer(ISSUER)
      .setAudience(over.audience ?? AUDIENCE)
      .setIssuedAt('-2h')
      .setExpirationTime(over.expires ?? '1h')
      .sign(privateKey);
    return { authorization: `Bearer ${token}` };
  };
  const everything = 'serve:read serve:run serve:admin';
  return {
    auth: guardAuth(provider, { name: 'jwt', humanScopes: new Set(['release:approve']), log }),
    headers: {
      none: {},
      read: await header('serve:read'),
      run: await header('serve:read serve:run'),
      admin: await header(everything),
      reserved: await header('* approvals:resolve audit:read iam:modify release:approve'),
      'wrong audience': await header(everything, { audience: 'somebody else' }),
      expired: await header(everything, { expires: '-1h' }),
    },
  };
}
