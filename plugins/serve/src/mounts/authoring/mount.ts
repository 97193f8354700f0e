import type { EditingApp } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { artifactRoutes, textRoutes } from './artifact-routes.js';
import { configRoutes } from './config-routes.js';
import { RESOLVED_AGENT } from './schemas.js';

/** Reading and changing the files of the workspace. */
const AUTHORING: HttpMount<{ readonly editing: EditingApp }> = {
  register(server, { app: { editing }, workspace }) {
    const desk = { editing, workspace };
    server.addSchema(RESOLVED_AGENT);
    for (const kind of ['topologies', 'skills', 'archetypes'] as const) artifactRoutes(server, kind, desk);
    for (const kind of ['funnels', 'contracts', 'roles'] as const) textRoutes(server, kind, desk);
    configRoutes(server, desk);
  },
};

export const contribution = defineHttpMount({ create: () => ({ ...AUTHORING }) as HttpMount });
