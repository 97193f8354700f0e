import { toWireLogin } from '@kit-run/kit/command';
import { arrayOf, BOOLEAN, closed, NUMBER, nullable, STRING, STRINGS } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { type LoginDesk, ownerOf } from './login-routes.js';

const LOGIN = closed({
  credential_id: STRING,
  provider: nullable(STRING),
  owner: STRING,
  endpoint: nullable(STRING),
  scopes: STRINGS,
  expires_at: nullable(STRING),
  seconds_remaining: nullable(NUMBER),
  expired: BOOLEAN,
  has_refresh_token: BOOLEAN,
  refreshed_at: nullable(STRING),
  ends_at: nullable(STRING),
  ends_soon: nullable({ type: 'string', enum: ['week', 'day'] }),
  problem: nullable(STRING),
});
const REMOVED = {
  oneOf: [
    closed({ deleted: { type: 'boolean', enum: [true] }, revoked_upstream: BOOLEAN, detail: STRING }),
    closed({ deleted: { type: 'boolean', enum: [false] }, reason: STRING }),
  ],
} as const;

/** Logins that are kept, without a token. */
export function credentialRoutes(server: FastifyInstance, { connections, workspace }: LoginDesk): void {
  server.get(
    '/api/oauth/credentials',
    {
      config: { tier: 'admin', mayAnswer: [500, 503] },
      schema: {
        summary: 'Logins that are kept, of everybody',
        response: { 200: closed({ credentials: arrayOf(LOGIN) }) },
      },
    },
    async () => ({ credentials: (await connections.logins(workspace)).map(toWireLogin) }),
  );
  server.delete<{ Params: { credential_id: string } }>(
    '/api/oauth/credentials/:credential_id',
    {
      config: { tier: 'run', mayAnswer: [500, 503] },
      schema: {
        summary: "Removes the caller's own login, and revokes it at its provider where that can be done",
        params: closed({ credential_id: { type: 'string', minLength: 1, maxLength: 200 } }),
        response: { 200: REMOVED },
      },
    },
    async ({ params: { credential_id: credential }, caller }) => {
      const removed = await connections.remove({ workspace, credential, owner: ownerOf(caller) });
      if (!removed.isDeleted) return { deleted: false, reason: removed.detail };
      return { deleted: true, revoked_upstream: removed.isRevokedUpstream, detail: removed.detail };
    },
  );
}
