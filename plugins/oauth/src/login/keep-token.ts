import type { StoredLogin } from '@kit-run/kit/plugin';
import { KitError } from '@kit-run/kit/plugin';
import type { TokenEndpointResponse } from 'oauth4webapi';
import { type Parts, TOKEN } from '../parts.js';
import { storedLogin } from '../tokens/stored-login.js';
import { answeredToken } from '../tokens/token-answer.js';
import { encodeToken, type TokenRow } from '../tokens/token-row.js';
import type { LoginRow } from './login-row.js';

/** Of a login, what its token is kept with. */
export type LoginFacts = Pick<
  LoginRow,
  'credential' | 'owner' | 'endpoint' | 'resource' | 'scopes' | 'client' | 'server'
>;

/** Puts the token of a login in the place of the one before. Throws KIT_LOGIN_FAILED. */
export async function keepToken(
  { clock, vault }: Parts,
  { credential, owner, endpoint, resource, scopes, client, server }: LoginFacts,
  answer: TokenEndpointResponse,
): Promise<StoredLogin> {
  if (answer.token_type !== 'bearer')
    throw new KitError('KIT_LOGIN_FAILED', `${server.issuer} issued a token that is not a bearer token`);
  const nowMs = clock.now();
  const row: TokenRow = {
    endpoint,
    resource,
    server: {
      issuer: server.issuer,
      tokenEndpoint: server.token_endpoint ?? '',
      revocationEndpoint: server.revocation_endpoint ?? null,
    },
    client,
    ...answeredToken(answer, { nowMs, scopes, before: null }),
    createdAt: new Date(nowMs).toISOString(),
    refreshedAt: null,
    askedAt: null,
    refused: null,
  };
  const value = encodeToken(row);
  const revision = (await vault.put({ kind: TOKEN, name: credential, owner }, value, null)) ?? 0;
  return storedLogin({ kind: TOKEN, name: credential, owner, value, revision, flaw: null }, nowMs);
}
