import { expiredText, type JsonObject, KitError } from '@kit-run/kit/plugin';
import type { Parts } from '../parts.js';
import { consentRequired, loginWords, type Picked, pickToken } from './pick-token.js';
import { settledToken } from './refresh-lease.js';
import { leftMs } from './stored-login.js';

/**
 * The token as it is kept; never refreshed here, for a run may be in the middle of its work. One
 * that has ended while another process refreshes it is waited for.
 */
export async function resolveToken(parts: Parts, name: string, config: JsonObject): Promise<string> {
  const holds = ({ row }: Picked): boolean => leftMs(row.expiresAt, parts.clock.now()) > 0;
  const use = { name, config, owner: null };
  const seen = await pickToken(parts, use);
  const { entry, row } = holds(seen) ? seen : await settledToken(parts, use);
  if (row.refused !== null) throw consentRequired(name, entry.owner, row.refused);
  if (holds({ entry, row })) return row.accessToken;
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
