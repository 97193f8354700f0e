import { toWireLogin } from '@kit-run/kit/command';
import { closed, LOGIN_REMOVED, LOGINS, type WireLoginRemoved } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { type LoginDesk, ownerOf } from './login-routes.js';

/** Logins that are kept, without a token. */
export function credentialRoutes(server: FastifyInstance, { connections, workspace }: LoginDesk): void {
  server.get(
    '/api/oauth/credentials',
    {
      config: { tier: 'admin', mayAnswer: [500, 503] },
      schema: {
        summary: 'Logins that are kept, of everybody',
        response: { 200: LOGINS },
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
        response: { 200: LOGIN_REMOVED },
      },
    },
    async ({ params: { credential_id: credential }, caller }): Promise<WireLoginRemoved> => {
      const removed = await connections.remove({ workspace, credential, owner: ownerOf(caller) });
      if (!removed.isDeleted) return { deleted: false, reason: removed.detail };
      return { deleted: true, revoked_upstream: removed.isRevokedUpstream, detail: removed.detail };
    },
  );
}
