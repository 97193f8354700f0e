import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { addCardRoutes } from './routes/card-routes.js';
import { addRpcRoutes } from './routes/rpc-route.js';
import type { A2aUses } from './routes/uses.js';

/** The topologies of the workspace as an agent of A2A. */
export const contribution = defineHttpMount({
  create: (_config, { log }): HttpMount<A2aUses> => ({
    register: (server, { app, workspace, closing }) => {
      const { serve, jobs, review, info } = app;
      const parts = { serve, jobs, review, info, workspace, closing };
      addCardRoutes(server, parts);
      addRpcRoutes(server, { ...parts, log });
    },
  }),
});
