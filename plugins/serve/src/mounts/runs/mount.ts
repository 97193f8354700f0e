import type { App, JobsApp, ServeApp } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { addChangeRoute } from './change-route.js';
import { addEventRoute } from './event-route.js';
import { addControlRoutes, addReadRoutes } from './job-routes.js';
import { addReportRoute } from './report-route.js';
import { addStreamRoute } from './stream-route.js';
import { addSubmitRoute } from './submit-route.js';
import { addViewRoute } from './view-route.js';

interface Used {
  readonly serve: ServeApp;
  readonly jobs: JobsApp;
  readonly observe: Pick<App['observe'], 'trace' | 'status' | 'report'>;
  readonly changes: Pick<App['changes'], 'read'>;
}

/** Runs and jobs. */
const mount: HttpMount<Used> = {
  register: (server, { app, workspace, closing }) => {
    const { serve, jobs, observe, changes } = app;
    addSubmitRoute(server, { serve, workspace });
    addReadRoutes(server, { serve, jobs, observe, workspace });
    addViewRoute(server, { observe, workspace });
    addEventRoute(server, { jobs, workspace });
    addChangeRoute(server, { changes, workspace });
    addReportRoute(server, { observe, workspace });
    addControlRoutes(server, { serve, jobs, observe, workspace });
    addStreamRoute(server, { jobs, workspace, closing });
  },
};

export const contribution = defineHttpMount({ create: () => ({ ...mount }) });
