import { toWireFleet, toWireStorage, toWireSystem } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { FLEET, STORAGE, SYSTEM } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { identityRoutes } from './identity-routes.js';
import { logRoutes } from './log-routes.js';
import { providerRoutes } from './provider-routes.js';
import { answers } from './schema-words.js';
import { signInRoutes } from './sign-in-routes.js';
import type { ServedInfo, Used } from './used.js';
import { workspaceRoutes } from './workspace-routes.js';

const OVERVIEW = {
  ...answers(
    'What `kit top` shows: the queue, servers and workers, what runs now, and what waits for people.',
    FLEET,
    'The database of runs at one moment; times in seconds.',
  ),
  querystring: {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 50, description: 'Rows of each kind.' },
    },
  },
};

/** Who works, and on what. */
function fleetRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  server.get<{ Querystring: { readonly limit: number } }>('/fleet', { schema: OVERVIEW }, async ({ query }) =>
    toWireFleet(await app.fleet.overview({ workspace, limit: query.limit })),
  );
}

/** What a workspace and its server are, and what its runs used. Everything here only reads. */
const mount: HttpMount<Used> = {
  register: (server, served) => {
    for (const routes of [
      identityRoutes,
      signInRoutes,
      workspaceRoutes,
      systemRoutes,
      logRoutes,
      fleetRoutes,
      providerRoutes,
    ])
      routes(server, served);
  },
};

export const contribution = defineHttpMount({ create: () => ({ ...mount }) });

/** Where everything lies, and what kit this is. */
function systemRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  server.get(
    '/storage',
    {
      schema: answers(
        'Where each store lies, which setting says so, how large the store of the runs is, and what is due in it.',
        STORAGE,
      ),
    },
    async () => {
      const { report, growth } = await app.info.storageStatus(workspace);
      return toWireStorage(report, growth);
    },
  );
  server.get(
    '/system',
    { schema: answers('Versions, storage, properties, environment, plugins and command lines. No secret.', SYSTEM) },
    async () => toWireSystem(await app.info.system(workspace)),
  );
}
