import { toWireFleet } from '@kit-run/kit/command';
import { FLEET } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { answers } from './schema-words.js';
import type { ServedInfo } from './used.js';

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
export function fleetRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  server.get<{ Querystring: { readonly limit: number } }>('/fleet', { schema: OVERVIEW }, async ({ query }) =>
    toWireFleet(await app.fleet.overview({ workspace, limit: query.limit })),
  );
}
