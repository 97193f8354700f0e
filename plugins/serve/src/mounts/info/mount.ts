import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { fleetRoutes } from './fleet-routes.js';
import { identityRoutes } from './identity-routes.js';
import { logRoutes } from './log-routes.js';
import { providerRoutes } from './provider-routes.js';
import { signInRoutes } from './sign-in-routes.js';
import { systemRoutes } from './system-routes.js';
import type { Used } from './used.js';
import { workspaceRoutes } from './workspace-routes.js';

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
