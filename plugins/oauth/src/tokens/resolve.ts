import { expiredText, type JsonObject, KitError } from '@kit-run/kit/plugin';
import type { Parts } from '../parts.js';
import { consentRequired, loginWords, pickToken } from './pick-token.js';
import { leftMs } from './stored-login.js';

/** The token as it is kept; never refreshed here, for a run may be in the middle of its work. */
export async function resolveToken(parts: Parts, name: string, config: JsonObject): Promise<string> {
  const { entry, row } = await pickToken(parts, { name, config, owner: null });
  if (row.refused !== null) throw consentRequired(name, entry.owner, row.refused);
  if (leftMs(row.expiresAt, parts.clock.now()) > 0) return row.accessToken;
  const login = { credential: name, owner: entry.owner };
  const next =
    row.refreshToken === null
      ? `Log in with \`${loginWords(login)}\`, then begin`
      : 'The next start refreshes it: begin';
  throw new KitError('KIT_CREDENTIAL_EXPIRED', expiredText(login, `it held until ${row.expiresAt}`), {
    hint: `${next} the run anew with \`kit retry <run>\`.`,
    data: login,
  });
}
