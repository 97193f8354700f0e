import type { TriggersApp } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount, type Json, type Served } from '@kit-run/kit/plugin';
import { FIRED, TRIGGERS, toWire } from '@kit-run/kit/wire';
import { FIRE_REQUEST_SCHEMA, idParams } from '../http/schemas.js';
import { toWireFired } from '../wire.js';
import { hookRoute, submitterOf } from './hook-route.js';

type Server = Parameters<HttpMount['register']>[0];

/** The use cases that the manifest names. */
interface Uses {
  readonly triggers: TriggersApp;
}

/**
 * Nobody but the server's own auth provider gives an empty name, and no route but a public one sees
 * it.
 */
const NOBODY = { identity: '', assurance: 'asserted' } as const;

function register(server: Server, served: Served<Uses>): void {
  const { workspace } = served;
  server.get(
    '/triggers',
    {
      config: { tier: 'read', summary: 'List triggers with what keeps them from firing.' },
      schema: { response: { 200: TRIGGERS } },
    },
    async () => toWire(TRIGGERS, await served.app.triggers.list({ workspace })),
  );
  server.post<{ Params: { id: string }; Body: { input?: Json } | null | undefined }>(
    '/triggers/:id/fire',
    {
      config: {
        tier: 'run',
        mayAnswer: [409, 429, 502, 503],
        summary: 'Fire a trigger by hand: every target at once.',
      },
      schema: {
        params: idParams,
        body: FIRE_REQUEST_SCHEMA,
        response: { 200: FIRED },
      },
    },
    async ({ params, body, caller }) => {
      const by = submitterOf(caller) ?? NOBODY;
      const input = body?.input;
      return toWireFired(
        await served.app.triggers.fire({ workspace, id: params.id, by, ...(input === undefined ? {} : { input }) }),
      );
    },
  );
  void server.register(async (scope) => hookRoute(scope, { app: served.app.triggers, workspace }));
}

/** The routes of triggers. */
export const contribution = defineHttpMount({
  // The host gives the use cases that the manifest names, and no others.
  create: () => ({ register: (server, served) => register(server, served as Served<Uses>) }),
});
