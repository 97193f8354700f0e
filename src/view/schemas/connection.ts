// Agents that run elsewhere, and logins at what credentials are for, as `wire-agents.ts` and
// `wire-login.ts` make them.
import {
  arrayOf,
  BOOLEAN,
  closed,
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

const AGENT_FOUND = closed({
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
const REMOTE_AGENT = closed({
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

const LOGIN = closed({
  credential_id: STRING,
  provider: TEXT_OR_NULL,
  owner: STRING,
  endpoint: TEXT_OR_NULL,
  scopes: STRINGS,
  expires_at: TEXT_OR_NULL,
  seconds_remaining: nullable(NUMBER),
  expired: BOOLEAN,
  has_refresh_token: BOOLEAN,
  refreshed_at: TEXT_OR_NULL,
  ends_at: TEXT_OR_NULL,
  ends_soon: nullable(oneOf(['week', 'day'])),
  problem: TEXT_OR_NULL,
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
