import type { RemovedLogin } from '@kit-run/kit/plugin';
import * as oauth from 'oauth4webapi';
import { clientAuth, clientOf, serverOf } from '../client/auth.js';
import { problemOf } from '../client/refusal.js';
import { callingBy } from '../discovery/server-metadata.js';
import { type Parts, TOKEN } from '../parts.js';
import { decodeToken, type TokenRow } from './token-row.js';

/** Removes the row first, whatever the provider says then; a row that no key opens goes as well. */
export async function removeLogin(parts: Parts, credential: string, owner: string): Promise<RemovedLogin> {
  const { vault } = parts;
  const key = { kind: TOKEN, name: credential, owner };
  const row = await vault.get(key).then(
    (entry) => (entry === null ? null : decodeToken(entry.value)),
    () => null,
  );
  const isDeleted = await vault.remove(key);
  if (!isDeleted)
    return { isDeleted, isRevokedUpstream: false, detail: `${owner} has no login for the credential ${credential}` };
  if (row === null)
    return { isDeleted, isRevokedUpstream: false, detail: 'the row could not be read: nothing was revoked upstream' };
  return { isDeleted, ...(await revoke(parts, row)) };
}

async function revoke(
  { outbound, signal }: Parts,
  { server, client, refreshToken, accessToken }: TokenRow,
): Promise<Pick<RemovedLogin, 'isRevokedUpstream' | 'detail'>> {
  if (server.revocationEndpoint === null)
    return { isRevokedUpstream: false, detail: `${server.issuer} names no revocation endpoint` };
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
  try {
    const response = await oauth.revocationRequest(
      serverOf(server),
      clientOf(client),
      clientAuth(client),
      refreshToken ?? accessToken,
      callingBy(outbound, bounded),
    );
    await oauth.processRevocationResponse(response);
    return { isRevokedUpstream: true, detail: `${server.issuer} has revoked it` };
  } catch (error) {
    return { isRevokedUpstream: false, detail: problemOf(error, { client, values: [refreshToken, accessToken] }).why };
  }
}
