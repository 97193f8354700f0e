import type { EditingApp, SkillsApp } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { RESOLVED_AGENT } from '@kit-run/kit/wire';
import { artifactRoutes, textRoutes } from './artifact-routes.js';
import { configRoutes } from './config-routes.js';
import { skillRoutes } from './skill-routes.js';

/** Reading and changing the files of the workspace. */
const AUTHORING: HttpMount<{ readonly editing: EditingApp; readonly skills: SkillsApp }> = {
  register(server, { app: { editing, skills }, workspace }) {
    const desk = { editing, workspace };
    server.addSchema(RESOLVED_AGENT);
    for (const kind of ['topologies', 'skills', 'archetypes'] as const) artifactRoutes(server, kind, desk);
    for (const kind of ['funnels', 'contracts', 'roles'] as const) textRoutes(server, kind, desk);
    configRoutes(server, desk);
    skillRoutes(server, { skills, workspace });
  },
};

export const contribution = defineHttpMount({ create: () => ({ ...AUTHORING }) as HttpMount });
