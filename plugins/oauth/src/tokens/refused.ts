import { type CredentialUse, expiredText, KitError, type Refusal } from '@kit-run/kit/plugin';
import { challengeErrorIn, scopesIn } from '../discovery/resource-metadata.js';
import { quoted } from '../discovery/values.js';
import type { Parts } from '../parts.js';
import { consentRequired, loginWords } from './pick-token.js';
import { settledToken } from './refresh-lease.js';

/**
 * See `CredentialSource.refused`: nothing is refreshed in the middle of a run, and what another
 * process has refreshed meanwhile is taken.
 */
export async function refusedToken(
  parts: Parts,
  use: CredentialUse,
  { status, challenge, carried }: Refusal,
): Promise<boolean> {
  const { entry, row } = await settledToken(parts, { ...use, owner: null });
  if (!carried(row.accessToken)) return true;
  const login = { credential: use.name, owner: entry.owner };
  if (status === 401)
    throw new KitError('KIT_CREDENTIAL_EXPIRED', expiredText(login, 'its server does not take it (status 401)'), {
      hint: `Log in with \`${loginWords(login)}\`, then begin the run anew with \`kit retry <run>\`.`,
      data: login,
    });
  if (challengeErrorIn(challenge) !== 'insufficient_scope') return false;
  const scopes = scopesIn(challenge) ?? [];
  throw consentRequired(
    login.credential,
    login.owner,
    scopes.length === 0
      ? 'its server asks for more scopes'
      : `its server asks for the scopes ${quoted(scopes.join(' '), 300)} (--scope)`,
  );
}
