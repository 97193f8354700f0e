import type { StoredLogin } from '../domain/ports/credential-source.js';

/** A login as HTTP and `--json` show it; nothing of it is secret. */
export const toWireLogin = (login: StoredLogin) => ({
  credential_id: login.credential,
  provider: login.provider,
  owner: login.owner,
  endpoint: login.endpoint,
  scopes: [...login.scopes],
  expires_at: login.expiresAt,
  seconds_remaining: login.secondsRemaining,
  expired: login.isExpired,
  has_refresh_token: login.hasRefreshToken,
  refreshed_at: login.refreshedAt,
  ends_at: login.endsAt,
  ends_soon: login.endsSoon,
  problem: login.flaw,
});

/** A credential of a workspace, with what is known of it but its value. */
export const toWireCredential = (report: {
  readonly credential: string;
  readonly source: string;
  readonly resolves: boolean;
  readonly problem: string | null;
  readonly logins: readonly StoredLogin[];
}) => ({
  credential_id: report.credential,
  source: report.source,
  resolves: report.resolves,
  problem: report.problem,
  logins: report.logins.map(toWireLogin),
});
