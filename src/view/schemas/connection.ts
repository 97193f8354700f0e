// Agents that run elsewhere, and logins at what credentials are for.
import type { StoredLogin } from '../../domain/ports/credential-source.js';
import { toWire } from './codec.js';
import {
  arrayOf,
  BOOLEAN,
  closed,
  held,
  NO,
  NUMBER,
  nullable,
  oneOf,
  type Schema,
  STRING,
  STRINGS,
  TEXT_OR_NULL,
  type TypeOf,
  YES,
} from './words.js';

export const AGENT_FOUND = closed({
  supported: YES,
  name: STRING,
  description: STRING,
  url: STRING,
  streaming: BOOLEAN,
  requires_bearer: BOOLEAN,
  skills: arrayOf(closed({ id: STRING, name: STRING, description: STRING })),
});
const AGENT_UNSUPPORTED = closed({ supported: NO, detail: STRING });

/** `GET /api/a2a/probe`. */
export const AGENT_PROBED: Schema<TypeOf<typeof AGENT_FOUND> | TypeOf<typeof AGENT_UNSUPPORTED>> = {
  oneOf: [AGENT_FOUND, AGENT_UNSUPPORTED],
};
export type WireAgentProbe = TypeOf<typeof AGENT_PROBED>;

/** The names of the interface, and those of the YAML beside them. */
export const REMOTE_AGENT = closed({
  id: STRING,
  description: STRING,
  card: STRING,
  skill: TEXT_OR_NULL,
  credential: TEXT_OR_NULL,
  on_unanswerable: STRING,
  tier: STRING,
  card_url: STRING,
  skill_id: TEXT_OR_NULL,
  credentials_ref: TEXT_OR_NULL,
  permission: STRING,
  effects: STRING,
  timeout_s: NUMBER,
});
export type WireRemoteAgent = TypeOf<typeof REMOTE_AGENT>;

/** `GET /api/a2a/agents`. */
export const REMOTE_AGENTS = closed({ agents: arrayOf(REMOTE_AGENT) });

export const LOGIN = closed({
  credential_id: held('credential', STRING),
  provider: TEXT_OR_NULL,
  owner: STRING,
  endpoint: TEXT_OR_NULL,
  scopes: STRINGS,
  expires_at: TEXT_OR_NULL,
  seconds_remaining: nullable(NUMBER),
  expired: held('isExpired', BOOLEAN),
  has_refresh_token: BOOLEAN,
  refreshed_at: TEXT_OR_NULL,
  ends_at: TEXT_OR_NULL,
  ends_soon: nullable(oneOf(['week', 'day'])),
  problem: held('flaw', TEXT_OR_NULL),
});
export type WireLogin = TypeOf<typeof LOGIN>;

/** `GET /api/oauth/credentials`. */
export const LOGINS = closed({ credentials: arrayOf(LOGIN) });

const REMOVED = closed({ deleted: YES, revoked_upstream: BOOLEAN, detail: STRING });
const NOT_REMOVED = closed({ deleted: NO, reason: STRING });

/** `DELETE /api/oauth/credentials/{credential_id}`. */
export const LOGIN_REMOVED: Schema<TypeOf<typeof REMOVED> | TypeOf<typeof NOT_REMOVED>> = {
  oneOf: [REMOVED, NOT_REMOVED],
};
export type WireLoginRemoved = TypeOf<typeof LOGIN_REMOVED>;

/** `POST /api/oauth/login`. */
export const LOGIN_BEGUN = closed({ authorization_url: STRING, state: STRING });
export type WireLoginBegun = TypeOf<typeof LOGIN_BEGUN>;

/** `GET /auth/mcp/client.json`: what kit is as a client of OAuth servers. */
export const OAUTH_CLIENT = closed({
  client_id: STRING,
  client_name: STRING,
  redirect_uris: STRINGS,
  grant_types: STRINGS,
  response_types: STRINGS,
  token_endpoint_auth_method: STRING,
  application_type: STRING,
});
export type WireOauthClient = TypeOf<typeof OAUTH_CLIENT>;

/** A login as HTTP and `--json` show it; nothing of it is secret. */
export const toWireLogin = (login: StoredLogin): WireLogin => toWire(LOGIN, login);

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

/** What the card at an address says; all of it is a stranger's word. */
export type AgentProbe =
  | {
      readonly isSupported: true;
      readonly name: string;
      readonly description: string;
      /** Where messages go. */
      readonly url: string;
      readonly streaming: boolean;
      readonly requiresBearer: boolean;
      readonly skills: readonly { readonly id: string; readonly name: string; readonly description: string }[];
    }
  | { readonly isSupported: false; readonly detail: string };

/** A skill of the workspace that is an agent which runs elsewhere. */
export interface RemoteAgentEntry {
  readonly id: string;
  readonly description: string;
  /** As it is written: a variable stands for itself. */
  readonly cardUrl: string;
  /** Null: the agent chooses. */
  readonly skillId: string | null;
  readonly credentialsRef: string | null;
  readonly onUnanswerable: 'agent' | 'relay' | 'abort';
  readonly permission: string;
  readonly effects: string;
  readonly timeoutS: number;
}

/** The names of the interface, and those of the YAML beside them. */
export const toWireRemoteAgent = (entry: RemoteAgentEntry): WireRemoteAgent =>
  toWire(REMOTE_AGENT, {
    ...entry,
    card: entry.cardUrl,
    skill: entry.skillId,
    credential: entry.credentialsRef,
    tier: entry.permission,
  });

export function toWireAgentProbe(probe: AgentProbe): WireAgentProbe {
  if (!probe.isSupported) return { supported: false, detail: probe.detail };
  return toWire(AGENT_FOUND, { ...probe, supported: true });
}
