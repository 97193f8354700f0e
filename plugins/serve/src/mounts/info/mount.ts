import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { identityRoutes } from './identity-routes.js';
import { logRoutes } from './log-routes.js';
import { systemRoutes } from './system-routes.js';
import type { ServedInfo, Used } from './used.js';
import { workspaceRoutes } from './workspace-routes.js';

/** What a workspace and its server are, and what its runs used. Everything here only reads. */
const mount: HttpMount = {
  register: (server, served) => {
    const info: ServedInfo = { ...served, app: served.app as Used }; // the manifest names the three
    for (const routes of [identityRoutes, workspaceRoutes, systemRoutes, logRoutes]) routes(server, info);
  },
};

export const contribution = defineHttpMount({ create: () => ({ ...mount }) });
