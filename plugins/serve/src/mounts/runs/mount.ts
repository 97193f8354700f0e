import type { App, JobsApp, ServeApp } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { addControlRoutes, addReadRoutes } from './job-routes.js';
import { addStreamRoute } from './stream-route.js';
import { addSubmitRoute } from './submit-route.js';
import { addViewRoute } from './view-route.js';

interface Used {
  readonly serve: ServeApp;
  readonly jobs: JobsApp;
  readonly observe: Pick<App['observe'], 'trace'>;
}

/** Runs and jobs. */
const mount: HttpMount<Used> = {
  register: (server, { app, workspace, closing }) => {
    const { serve, jobs, observe } = app;
    addSubmitRoute(server, { serve, workspace });
    addReadRoutes(server, { serve, jobs, workspace });
    addViewRoute(server, { observe, workspace });
    addControlRoutes(server, { serve, jobs, workspace });
    addStreamRoute(server, { jobs, workspace, closing });
  },
};

export const contribution = defineHttpMount({ create: () => ({ ...mount }) });
