import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { auditRoutes } from './audit-routes.js';
import { logRoutes } from './log-routes.js';
import { looseRoute } from './loose-route.js';
import { signalRoutes } from './signal-routes.js';
import type { EventsUses } from './uses.js';

const mount: HttpMount<EventsUses> = {
  register(server, served) {
    logRoutes(server, served);
    looseRoute(server, served);
    auditRoutes(server, served);
    signalRoutes(server, served);
  },
};

/** The log, its audit rows, and the way in for the application's events. */
export const contribution = defineHttpMount({ create: () => ({ ...mount }) });
