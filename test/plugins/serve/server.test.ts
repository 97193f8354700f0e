import { describe, expect, it } from 'vitest';
import { defineHttpMount } from '../../../src/domain/define.js';
import { KitError } from '../../../src/domain/errors.js';
import { as, serveGroup } from '../../support/http/serve-group.js';

const contribution = defineHttpMount({
  create: () => ({
    register: (server) => {
      server.get('/silent', async (request) => ({ by: request.caller.clientId }));
      server.get('/read', { config: { tier: 'read' } }, async (request) => ({ by: request.caller.clientId }));
      server.post('/body', { schema: { body: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } } } }, async () => ({}));
      server.get('/gone', { config: { tier: 'public' } }, async () => {
        throw new KitError('KIT_JOB_UNKNOWN', 'there is no run x');
      });
    },
  }),
});

describe('the server around every group', () => {
  it('takes a route without a tier for one of administrators', async () => {
    const server = await serveGroup(contribution, {});
    expect((await server.inject({ url: '/silent', headers: as('run') })).statusCode).toBe(403);
    expect((await server.inject({ url: '/silent', headers: as('admin') })).json()).toEqual({ by: 'alice' });
    expect((await server.inject({ url: '/read', headers: as('read') })).statusCode).toBe(200);
  });

  it('asks for a token before it looks at the body', async () => {
    const server = await serveGroup(contribution, {});
    const refused = await server.inject({ method: 'POST', url: '/body', payload: 'no json', headers: { 'content-type': 'application/json' } });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="kit"');
  });

  it('answers every refusal with problem details', async () => {
    const server = await serveGroup(contribution, {});
    const gone = await server.inject({ url: '/gone?secret=1' });
    expect(gone.headers['content-type']).toContain('application/problem+json');
    expect(gone.json()).toEqual({
      type: 'urn:kit:error:job-unknown',
      title: 'Job unknown',
      status: 404,
      detail: 'there is no run x',
      instance: '/gone',
      code: 'job-unknown',
      hint: 'Run `kit status` to list the runs.',
    });
    const misfit = await server.inject({ method: 'POST', url: '/body', payload: { a: '1' }, headers: as('admin') });
    expect(misfit.json()).toMatchObject({ status: 422, code: 'request-invalid', errors: [{ pointer: '/body/a', code: 'type' }] });
    expect((await server.inject({ url: '/nowhere', headers: as('admin') })).json()).toMatchObject({ status: 404, code: 'route-unknown' });
  });
});
