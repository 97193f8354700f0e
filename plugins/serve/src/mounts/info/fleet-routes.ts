import { toWireFleet } from '@kit-run/kit/command';
import type { FastifyInstance } from 'fastify';
import type { ServedInfo } from './used.js';

const FLEET = {
  summary: 'What `kit top` shows: the queue, servers and workers, what runs now, and what waits for people.',
  querystring: {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 50, description: 'Rows of each kind.' },
    },
  },
  response: {
    200: {
      description: 'The database of runs at one moment; times in seconds.',
      type: 'object',
      additionalProperties: true,
      required: ['at', 'queue', 'members', 'runs', 'waiting'],
    },
  },
} as const;

/** Who works, and on what. */
export function fleetRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  server.get<{ Querystring: { readonly limit: number } }>('/fleet', { schema: FLEET }, async ({ query }) =>
    toWireFleet(await app.fleet.overview({ workspace, limit: query.limit })),
  );
}
