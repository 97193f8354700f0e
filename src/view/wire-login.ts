import type { StoredLogin } from '../domain/ports/credential-source.js';
import type { WireLogin } from './schemas/connection.js';

/** A login as HTTP and `--json` show it; nothing of it is secret. */
export const toWireLogin = (login: StoredLogin): WireLogin => ({
  credential_id: login.credential,
  provider: login.provider,
  owner: login.owner,
  endpoint: login.endpoint,
  scopes: login.scopes,
  expires_at: login.expiresAt,
  seconds_remaining: login.secondsRemaining,
  expired: login.isExpired,
  has_refresh_token: login.hasRefreshToken,
  refreshed_at: login.refreshedAt,
  ends_at: login.endsAt,
  ends_soon: login.endsSoon,
  problem: login.flaw,
});

/** A credential of the workspace, and what is known of it without its value. */
export interface CredentialReport {
  readonly credential: string;
  readonly source: string;
  /** It yields a value now. */
  readonly resolves: boolean;
  /** Why it does not; null = it does. */
  readonly problem: string | null;
  /** Of a credential that people log in for. */
  readonly logins: readonly StoredLogin[];
}

/** A credential of a workspace, with what is known of it but its value. */
export const toWireCredential = (report: CredentialReport) => ({
  credential_id: report.credential,
  source: report.source,
  resolves: report.resolves,
  problem: report.problem,
  logins: report.logins.map(toWireLogin),
});
