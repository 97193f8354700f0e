import { toWireEvent } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount, type Served } from '@kit-run/kit/plugin';
import { arrayOf, closed, WHOLE_EVENT } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { auditRoutes } from './audit-routes.js';
import { logRoutes } from './log-routes.js';
import { typeNames } from './names.js';
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

interface LooseRoute {
  readonly Querystring: { readonly types?: string; readonly topology_id?: string; readonly limit: number };
}

/** What happened outside every run: refused inputs, firings of triggers, events handed in. */
function looseRoute(server: FastifyInstance, { app, workspace }: Served<EventsUses>): void {
  server.get<LooseRoute>(
    '/events/loose',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'The newest events that belong to no run, the oldest of them first.',
        querystring: {
          type: 'object',
          properties: {
            types: { type: 'string', minLength: 1, description: 'Event types or families, divided by commas.' },
            topology_id: { type: 'string', minLength: 1, description: 'Name of a topology.' },
            limit: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
          },
        },
        response: { 200: closed({ events: arrayOf(WHOLE_EVENT) }) },
      },
    },
    async ({ query }) => {
      const { types, topology_id: topology = null, limit: last } = query;
      const events = await app.events.loose({ workspace, types: typeNames(types), topology, last });
      return { events: events.map((event) => toWireEvent(event)) };
    },
  );
}
