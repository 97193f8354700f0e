import { type App, toWireCanary } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { CANARY, closed, PROMOTED, ROLLED_BACK } from '@kit-run/kit/wire';

const TOPOLOGY_PARAM = closed({ topology: { type: 'string', minLength: 1, maxLength: 256 } });
const PROMOTE_BODY = {
  type: 'object',
  required: ['version'],
  properties: { version: { type: 'string', minLength: 1, maxLength: 64 } },
} as const;

/** Traffic between the versions of a topology (docs/canary.md). */
export const contribution = defineHttpMount({
  create: (): HttpMount<Pick<App, 'canary'>> => ({
    register(server, { app, workspace }) {
      server.get(
        '/canary',
        {
          config: { tier: 'read' },
          schema: {
            summary: 'Canary routes with what they have counted',
            tags: ['canary'],
            response: { 200: CANARY },
          },
        },
        async () => toWireCanary(await app.canary.list({ workspace })),
      );
      server.post<{ Params: { topology: string }; Body: { version: string } }>(
        '/canary/:topology/promote',
        {
          config: { tier: 'admin' },
          schema: {
            summary: 'All traffic to one version',
            tags: ['canary'],
            params: TOPOLOGY_PARAM,
            body: PROMOTE_BODY,
            response: { 200: PROMOTED },
          },
        },
        async ({ params, body, caller }) => {
          const { topology, weights } = await app.canary.promote({
            workspace,
            topology: params.topology,
            version: body.version,
            by: caller.clientId,
          });
          return { promoted: true, topology, version: body.version, weights };
        },
      );
      server.post<{ Params: { topology: string } }>(
        '/canary/:topology/rollback',
        {
          config: { tier: 'admin' },
          schema: {
            summary: 'All traffic to the version that is listed first',
            tags: ['canary'],
            params: TOPOLOGY_PARAM,
            response: { 200: ROLLED_BACK },
          },
        },
        async ({ params, caller }) => {
          const { topology, weights } = await app.canary.rollback({
            workspace,
            topology: params.topology,
            by: caller.clientId,
          });
          return { rolled_back: true, topology, weights };
        },
      );
    },
  }),
});
