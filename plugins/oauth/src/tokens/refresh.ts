import * as oauth from 'oauth4webapi';
import { clientAuth, clientOf, serverOf } from '../client/auth.js';
import { type ProviderProblem, problemOf } from '../client/refusal.js';
import { callingBy } from '../discovery/server-metadata.js';
import type { Parts } from '../parts.js';
import { answeredToken } from './token-answer.js';
import type { TokenRow } from './token-row.js';

/** What became of one request for a new token. */
export type Refreshed = { readonly kind: 'refreshed'; readonly row: TokenRow } | ProviderProblem;

/** A token that may do less than the one before is not the one that was consented to. */
const isNarrower = (before: readonly string[], after: readonly string[]): boolean =>
  before.some((scope) => scope !== 'offline_access' && !after.includes(scope));

/** Asks the provider once. */
export async function refresh({ clock, outbound, signal }: Parts, row: TokenRow): Promise<Refreshed> {
  const [server, client] = [serverOf(row.server), clientOf(row.client)];
  try {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      clientAuth(row.client),
      row.refreshToken ?? '',
      { ...callingBy(outbound, signal), additionalParameters: { resource: row.resource } },
    );
    const answer = await oauth.processRefreshTokenResponse(server, client, response);
    const nowMs = clock.now();
    const token = answeredToken(answer, { nowMs, scopes: row.scopes, before: row });
    const next = { ...row, ...token, refreshedAt: new Date(nowMs).toISOString(), askedAt: null };
    return isNarrower(row.scopes, token.scopes)
      ? { kind: 'refused', why: 'the provider gives fewer scopes than before' }
      : { kind: 'refreshed', row: next };
  } catch (error) {
    return problemOf(error);
  }
}
