import { defineHttpMount } from '../../../src/domain/define.js';
import { KitError } from '../../../src/domain/errors.js';
import type { HttpMount } from '../../../src/domain/ports/http.js';

const WHO = {
  type: 'object',
  additionalProperties: false,
  required: ['by'],
  properties: { by: { type: 'string' } },
} as const;
const ANSWER = { 200: WHO } as const;

/** Routes of every kind that the server treats differently. */
export const sampleRoutes: HttpMount['register'] = (server) => {
  server.get('/silent', { schema: { response: ANSWER } }, async (request) => ({ by: request.caller.clientId }));
  server.get('/read', { config: { tier: 'read' }, schema: { response: ANSWER } }, async (request) => ({
    by: request.caller.clientId,
  }));
  server.put('/read', { config: { tier: 'run' }, schema: { response: ANSWER } }, async (request) => ({
    by: request.caller.clientId,
  }));
  server.get('/things/:id', { config: { tier: 'read' }, schema: { response: ANSWER } }, async (request) => ({
    by: (request.params as { readonly id: string }).id,
  }));
  server.post(
    '/body',
    {
      schema: {
        body: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        response: { 200: { type: 'object' } },
      },
    },
    async () => ({}),
  );
  server.get('/gone', { config: { tier: 'public' }, schema: { response: ANSWER } }, async () => {
    throw new KitError('KIT_JOB_UNKNOWN', 'there is no run x');
  });
  server.get('/full', { config: { tier: 'run', mayAnswer: [429] }, schema: { response: ANSWER } }, async () => {
    throw new KitError('KIT_CAPACITY', 'every slot is taken', { data: { retryAfterSeconds: 3 } });
  });
  server.get('/bug', { config: { tier: 'public' }, schema: { response: ANSWER } }, async () => {
    throw new Error('a secret of the inside');
  });
  server.get('/teapot', { config: { tier: 'public' }, schema: { response: ANSWER } }, async (_request, reply) => {
    reply.raw.statusCode = 418;
    return { by: '' };
  });
  server.post('/by-request', {
    config: { tier: (request) => (request.headers['x-signed'] === 'yes' ? 'public' : 'run') },
    schema: { response: ANSWER },
    handler: async (request) => ({ by: request.caller.clientId }),
  });
};

/** A group of them. */
export const sampleContribution = defineHttpMount({ create: () => ({ register: sampleRoutes }) });
